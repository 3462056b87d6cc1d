/** The value of an option that is a whole number from `from` to `to`; another throws a `RangeError`. */
export function whole(name: string, value: number, from: number, to: number = Infinity): number {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return value;
  throw new RangeError(`${name} must be a whole number from ${from} to ${to}.`);
}
