/** What a text is to the encoder: a caller's words, or a passage of a document. */
export type EmbedKind = 'query' | 'passage';

/** Turns texts into vectors. A base asks for one at bake and at start, through its `embed` option. */
export interface Embedder {
  /** Stable name of the model, for example `text-embedding-3-small`; part of the index's fingerprint. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /** Changes when the same `id` gives other vectors. */
  readonly revision: string;
  /** How far fusion trusts this embedder against keywords: 0–1. */
  readonly weight: number;
  /** The most texts one `embed` call takes. */
  readonly maxBatch: number;
  /** The longest text, in the embedder's own tokens. */
  readonly maxTokens: number;
  /** Length of a text in the embedder's own tokens; omitted: cl100k tokens are counted. */
  countTokens?(text: string): number;
  /** ISO 639-1 codes of the languages it knows; omitted: any. */
  readonly languages?: readonly string[];
  /** Gets ready, so that the first query takes no longer than others; called at start. */
  warmUp?(): Promise<void>;
  /** Releases what it holds; called when its bake ends or its base closes. */
  close?(): Promise<void>;
  /** One unit-norm vector a text, in order. */
  embed(
    texts: readonly string[],
    options: { readonly kind: EmbedKind; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]>;
}
