import { eventLoopTurns } from '../event-loop-turns.js';
import { isFunctionWord } from './english.js';
import { normalise } from './normalise.js';

const sampleLength = 2_000;
const samples = 24;
/** English prose is 35–50 % function words, tables and lists above 20 %; German or Dutch stay below 10 %. */
const englishShare = 0.2;
/** The statistics need about this many letters to be trusted. */
const enoughLetters = 200;

/** Language of most of the texts as an ISO 639 code; `en` where there is too little to tell. */
export async function detectLanguage(texts: readonly string[]): Promise<string> {
  const votes = new Map<string, number>();
  const pieces = sample(texts);
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const turn = eventLoopTurns();
  for (const piece of pieces) {
    const language = isEnglish(piece) ? 'en' : await guess(piece, total);
    votes.set(language, (votes.get(language) ?? 0) + piece.length);
    await turn();
  }
  const [winner] = [...votes].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return winner?.[0] ?? 'en';
}

/** Up to `samples` pieces, spread evenly over all the texts. */
function sample(texts: readonly string[]): string[] {
  const joined: string[] = [];
  let open = '';
  for (const text of texts) {
    open += `${text}\n`;
    if (open.length < sampleLength) continue;
    joined.push(open.slice(0, sampleLength));
    open = '';
  }
  if (joined.length === 0) joined.push(open);
  const step = Math.max(1, joined.length / samples);
  return Array.from(
    { length: Math.min(samples, joined.length) },
    (_, at) => joined[Math.floor(at * step)] ?? '',
  );
}

function isEnglish(text: string): boolean {
  const words = normalise(text).match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.length > 0 && words.filter(isFunctionWord).length >= englishShare * words.length;
}

async function guess(text: string, total: number): Promise<string> {
  if (total < enoughLetters && /^[\p{Script=Latin}\P{L}]*$/u.test(text)) return 'en';
  const { franc } = await import('franc-min');
  const code = franc(text);
  return code === 'und' ? 'en' : new Intl.Locale(code).language;
}
