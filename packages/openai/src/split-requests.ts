/** The most texts a request carries. */
export const maxTextsPerRequest = 100;

/**
 * The API takes 300,000 tokens a request. Its tokenizers work on bytes and every token covers at least
 * one, so a text never has more tokens than bytes, whatever its language.
 */
const maxBytesPerRequest = 300_000;

/** Texts in order, cut into requests that keep both limits; a longer text travels alone. */
export function splitRequests(texts: readonly string[]): string[][] {
  const requests: string[][] = [];
  let current: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const more = Buffer.byteLength(text);
    const full = current.length === maxTextsPerRequest || bytes + more > maxBytesPerRequest;
    if (requests.length === 0 || full) {
      requests.push((current = []));
      bytes = 0;
    }
    current.push(text);
    bytes += more;
  }
  return requests;
}

/** The API refuses an empty text, and text with half a surrogate pair. */
export function sendableText(text: string): string {
  return text === '' ? ' ' : Buffer.from(text).toString();
}
