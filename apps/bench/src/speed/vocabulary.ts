const onsets =
  'b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p pl pr qu r s sc sh sl sp st str t th tr v w z'.split(
    ' ',
  );
const nuclei = 'a e i o u ai ea ee oa ou'.split(' ');
const codas = [
  '',
  'b',
  'ck',
  'd',
  'g',
  'l',
  'll',
  'm',
  'n',
  'nd',
  'nt',
  'p',
  'r',
  'rd',
  'rn',
  'sh',
  'st',
  't',
  'x',
];
const words = 90_000;
/** Zipf's law with Mandelbrot's shift: the most frequent content words of a real corpus are not that frequent. */
const shift = 60;
const exponent = 1.35;

/** Draws made-up words, few of them often and most of them seldom. */
export function vocabulary(random: () => number): () => string {
  const list = madeUpWords(random);
  const cumulative = new Float64Array(list.length);
  let sum = 0;
  list.forEach((_, rank) => {
    sum += 1 / (rank + shift) ** exponent;
    cumulative[rank] = sum;
  });
  return () => list[rankOf(cumulative, random() * sum)] ?? '';
}

function madeUpWords(random: () => number): string[] {
  const made = new Set<string>();
  const any = (items: readonly string[]): string =>
    items[Math.floor(random() * items.length)] ?? '';
  const syllable = (): string => any(onsets) + any(nuclei) + any(codas);
  while (made.size < words) made.add(random() < 0.3 ? syllable() : syllable() + syllable());
  return [...made];
}

/** First place whose cumulative weight is not below `weight`. */
function rankOf(cumulative: Float64Array, weight: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cumulative[middle] ?? 0) < weight) low = middle + 1;
    else high = middle;
  }
  return low;
}
