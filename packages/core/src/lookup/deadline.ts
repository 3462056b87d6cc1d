/** What stands for a value that did not come in time. */
export const late: unique symbol = Symbol('late');

/** The value, or `late` once `ms` have passed. What comes later is dropped; its failure too. */
export async function within<T>(ms: number, value: Promise<T>): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  value.catch(() => undefined);
  try {
    return await Promise.race([value, expired]);
  } finally {
    clearTimeout(timer);
  }
}
