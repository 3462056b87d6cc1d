import { KnowledgeError } from '../errors.js';
import { clean } from './clean.js';

type Encoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'utf-32le'
  | 'utf-32be'
  | 'windows-1252'
  | 'shift_jis'
  | 'euc-jp';

const marks: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const sampleLength = 65_536;

/** Bytes of a text file, in whichever of the supported encodings, as text with `\n` line ends. */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  const encoding =
    byMark(bytes) ??
    byZeros(bytes) ??
    (isUtf8(bytes) ? 'utf-8' : (byKana(bytes) ?? (await byStatistics(bytes))));
  const { default: iconv } = await import('iconv-lite');
  const text = iconv.decode(bytes, encoding);
  if (looksBinary(text)) {
    const message = 'the file is binary, not text; remove it or give it its own extension.';
    throw new KnowledgeError({ code: 'document-unreadable', reason: 'binary', message });
  }
  return clean(text);
}

function byMark(bytes: Uint8Array): Encoding | undefined {
  return marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/** UTF-16 and UTF-32 without a mark leave zeros in fixed places of any text that has Latin letters, digits or line ends. */
function byZeros(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, sampleLength);
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < sample.length; at++)
    if (sample[at] === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1;
  const share = zeros.map((found) => found / Math.max(1, sample.length / 4));
  const [a = 0, b = 0, c = 0, d = 0] = share;
  if (a + b + c + d < 0.02) return undefined;
  if (c > 0.9 && d > 0.9) return 'utf-32le';
  if (a > 0.9 && b > 0.9) return 'utf-32be';
  const even = a + c;
  const odd = b + d;
  // The signs for "one" and the wide space end in a zero too, on the other side.
  const japanese = Math.max(even, odd) < 0.5 ? byKana(bytes) : undefined;
  if (japanese) return japanese;
  if (odd > 10 * even) return 'utf-16le';
  if (even > 10 * odd) return 'utf-16be';
  return undefined;
}

/** Also a UTF-8 file that was cut or damaged: most of what is not ASCII decodes. */
function isUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes);
  const damaged = count(text, /\ufffd/g);
  return damaged === 0 || damaged * 4 <= count(text, /[^\p{ASCII}\ufffd]/gu);
}

/** Japanese always has kana, and only the right decoding gives many of them and nothing impossible. */
function byKana(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, sampleLength);
  return (['shift_jis', 'euc-jp', 'utf-16le', 'utf-16be'] as const).find((encoding) => {
    const text = new TextDecoder(encoding).decode(sample);
    const foreign = count(text, /\P{ASCII}/gu);
    const kana = count(text, /[\u3041-\u30fe]/g);
    return kana >= 0.2 * foreign && impossible(text) <= 0.01 * text.length + 1;
  });
}

/** The detector's first guess among what we decode; ISO-8859-1 is read as Windows-1252, its superset in practice. */
async function byStatistics(bytes: Uint8Array): Promise<Encoding> {
  const { analyse } = await import('chardet');
  for (const { name } of analyse(bytes.subarray(0, sampleLength))) {
    if (name === 'Shift_JIS') return 'shift_jis';
    if (name === 'EUC-JP') return 'euc-jp';
    if (name === 'ISO-8859-1' || name === 'windows-1252') return 'windows-1252';
  }
  return 'windows-1252';
}

function looksBinary(text: string): boolean {
  const sample = text.slice(0, sampleLength);
  return impossible(sample) > 0.02 * sample.length + 2;
}

/** How many characters no text has: control characters, places without a character, private ones. */
function impossible(text: string): number {
  return count(text, /(?![\t\n\v\f\r\u0085])[\p{Cc}\p{Cs}\p{Co}\p{Cn}\ufffd]/gu);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
