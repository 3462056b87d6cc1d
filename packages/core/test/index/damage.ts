import type { SeededRandom } from '../support/seeded-random.js';

/** One way to damage bytes; the result may, rarely, be equal to what it was. */
type Damage = (bytes: Buffer, random: SeededRandom) => Buffer;

const damages: Readonly<Record<string, Damage>> = {
  'a bit flipped': (bytes, random) => {
    const damaged = Buffer.from(bytes);
    const at = random.below(damaged.length);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << random.below(8));
    return damaged;
  },
  'cut off': (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  'two bytes swapped': (bytes, random) => {
    const damaged = Buffer.from(bytes);
    const [first, second] = [random.below(damaged.length), random.below(damaged.length)];
    damaged[first] = bytes[second] ?? 0;
    damaged[second] = bytes[first] ?? 0;
    return damaged;
  },
  'a range gone': (bytes, random) => {
    const from = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random.below(64))]);
  },
  'bytes appended': (bytes, random) => Buffer.concat([bytes, noise(1 + random.below(32), random)]),
  'a range overwritten': (bytes, random) => {
    const damaged = Buffer.from(bytes);
    const from = random.below(damaged.length);
    noise(1 + random.below(32), random).copy(damaged, from);
    return damaged;
  },
};

export const damageNames: readonly string[] = Object.keys(damages);

export function damage(name: string, bytes: Buffer, random: SeededRandom): Buffer {
  return damages[name]?.(bytes, random) ?? bytes;
}

function noise(length: number, random: SeededRandom): Buffer {
  const make = random.pick([() => 0, () => 0xff, () => random.below(256)]);
  return Buffer.from(Array.from({ length }, make));
}
