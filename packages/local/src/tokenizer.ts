import type { Vocabulary } from './model-file.js';

const SPACE = '\u2581';
const UNKNOWN = 0;
// The pieces before this one are control marks, which no text may spell.
const FIRST_PIECE = 6;
// How much less likely than the rarest piece an unknown symbol is, in log probability.
const UNKNOWN_PENALTY = 10;

/** A text as the encoder reads it: NFKC, lower case, white space folded. Empty for a blank text. */
export function prepareText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

/** Cuts a prepared text into the likeliest sequence of pieces (a unigram model, by Viterbi's search). */
export class Tokenizer {
  readonly #trie: PieceTrie;
  readonly #scores: Float64Array;
  readonly #unknownScore: number;

  constructor(vocabulary: Vocabulary) {
    this.#trie = new PieceTrie(vocabulary.pieces);
    this.#scores = Float64Array.from(vocabulary.scores);
    this.#unknownScore = Math.min(...vocabulary.scores) - UNKNOWN_PENALTY;
  }

  /** The first `limit` tokens, as indices of the vocabulary. A run of unknown symbols is one token. */
  encode(prepared: string, limit: number): number[] {
    // No more symbols than `limit` pieces can hold: the work is bounded for a text of any length.
    const most = limit * this.#trie.longest;
    const symbols = this.#trie.symbols(SPACE + prepared.replaceAll(' ', SPACE), most);
    const { pieces, starts } = this.#search(symbols);
    const tokens: number[] = [];
    for (let end = symbols.length; end > 0; end = starts[end] ?? 0) {
      const piece = pieces[end] ?? UNKNOWN;
      if (piece !== UNKNOWN || tokens.at(-1) !== UNKNOWN) tokens.push(piece);
    }
    return tokens.toReversed().slice(0, limit);
  }

  /** For every end of a piece in the text: the piece on the best path to it, and where it starts. */
  #search(symbols: Int32Array): { pieces: Int32Array; starts: Int32Array } {
    const best = new Float64Array(symbols.length + 1).fill(-Infinity);
    const pieces = new Int32Array(symbols.length + 1);
    const starts = new Int32Array(symbols.length + 1);
    const offer = (start: number, end: number, piece: number, score: number): void => {
      const total = (best[start] ?? -Infinity) + score;
      if (total < (best[end] ?? -Infinity)) return;
      best[end] = total;
      pieces[end] = piece;
      starts[end] = start;
    };

    best[0] = 0;
    for (let start = 0; start < symbols.length; start += 1) {
      if (best[start] === -Infinity) continue;
      let hasSingle = false;
      this.#trie.forEachPrefix(symbols, start, (end, piece) => {
        hasSingle ||= end === start + 1;
        offer(start, end, piece, this.#scores[piece] ?? this.#unknownScore);
      });
      if (!hasSingle) offer(start, start + 1, UNKNOWN, this.#unknownScore);
    }
    return { pieces, starts };
  }
}

/** The pieces by their symbols. Symbols are numbered, and an edge is one number in one table. */
class PieceTrie {
  readonly #symbols = new Map<string, number>();
  readonly #edges = new Map<number, number>();
  readonly #pieces: Int32Array;
  /** Symbols of the longest piece. */
  readonly longest: number;

  constructor(pieces: readonly string[]) {
    for (const symbol of pieces.join('')) {
      if (!this.#symbols.has(symbol)) this.#symbols.set(symbol, this.#symbols.size + 1);
    }
    const ends = new Map<number, number>();
    let longest = 0;
    for (const [index, piece] of pieces.entries()) {
      if (index < FIRST_PIECE) continue;
      const symbols = this.symbols(piece, Infinity);
      longest = Math.max(longest, symbols.length);
      ends.set(this.#insert(symbols), index);
    }
    this.longest = longest;
    this.#pieces = new Int32Array(this.#edges.size + 1);
    for (const [node, piece] of ends) this.#pieces[node] = piece;
  }

  /** The numbers of the first `most` symbols of a text, 0 for one that no piece holds. */
  symbols(text: string, most: number): Int32Array {
    const numbers: number[] = [];
    for (const symbol of text) {
      if (numbers.length >= most) break;
      numbers.push(this.#symbols.get(symbol) ?? 0);
    }
    return Int32Array.from(numbers);
  }

  forEachPrefix(
    symbols: Int32Array,
    start: number,
    visit: (end: number, piece: number) => void,
  ): void {
    let node: number | undefined = 0;
    for (let position = start; position < symbols.length; position += 1) {
      node = this.#edges.get(this.#edge(node, symbols[position] ?? 0));
      if (node === undefined) return;
      const piece = this.#pieces[node] ?? UNKNOWN;
      if (piece !== UNKNOWN) visit(position + 1, piece);
    }
  }

  #insert(symbols: Int32Array): number {
    let node = 0;
    for (const symbol of symbols) {
      const edge = this.#edge(node, symbol);
      const next = this.#edges.get(edge) ?? this.#edges.size + 1;
      this.#edges.set(edge, next);
      node = next;
    }
    return node;
  }

  #edge(node: number, symbol: number): number {
    return node * (this.#symbols.size + 1) + symbol;
  }
}
