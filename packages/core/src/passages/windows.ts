import type { Embedder } from '../embedder.js';
import { tokenCount } from './tokens.js';

/** Pieces of a text that an embedder takes whole, cut between words; most texts are one. */
export function windows(
  text: string,
  embedder: Pick<Embedder, 'maxTokens' | 'countTokens'>,
): string[] {
  const count = (piece: string): number => embedder.countTokens?.(piece) ?? tokenCount(piece);
  return halve(text, (piece) => count(piece) <= embedder.maxTokens);
}

function halve(text: string, fits: (piece: string) => boolean): string[] {
  const points = Array.from(text);
  if (points.length < 2 || fits(text)) return [text];
  const middle = Math.ceil(points.length / 2);
  const space = points.lastIndexOf(' ', middle);
  const cut = space > 0 ? space : middle;
  const pieces = [points.slice(0, cut).join(''), points.slice(cut).join('').trimStart()];
  return pieces.filter((piece) => piece !== '').flatMap((piece) => halve(piece, fits));
}
