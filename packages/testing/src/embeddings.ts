import { answerError, answerJson, isRecord, textsOf, type Exchange } from './exchange.js';

/** Makes the vector of a text; `dimensions` is what the request asks for, else what the model has. */
export type VectorOf = (text: string, dimensions: number) => ArrayLike<number>;

/** `POST /v1/embeddings`. */
export function answerEmbeddings(exchange: Exchange, vectorOf: VectorOf): void {
  const { body, fault } = exchange;
  const { input, model, dimensions, encoding_format: format } = isRecord(body) ? body : {};
  const list: readonly unknown[] = Array.isArray(input) ? input : [input];
  const texts = list.filter((text) => typeof text === 'string' && text !== '').map(String);
  if (texts.length !== list.length || list.length === 0 || list.length > 2048) {
    answerError(exchange, 400, `'input' is not valid: ${textsOf(body)}`);
    return;
  }
  const native = model === 'text-embedding-3-large' ? 3072 : 1536;
  const length = typeof dimensions === 'number' ? dimensions : native;
  const data = texts.map((text, at) => {
    const sent = fault?.kind === 'wrong-dimension' ? length - 1 : length;
    const vector = Float32Array.from(vectorOf(text, length)).slice(0, sent);
    if (fault?.kind === 'not-a-number') vector.fill(Number.NaN, 0, 1);
    const embedding =
      format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
    return { object: 'embedding', index: fault?.kind === 'same-index' ? 0 : at, embedding };
  });
  if (fault?.kind === 'wrong-count') data.pop();
  if (fault?.kind === 'out-of-order') data.reverse();
  const usage = { prompt_tokens: texts.length, total_tokens: texts.length };
  answerJson(exchange, 200, { object: 'list', data, model, usage });
}
