/** Where a bake is. `total` is there when it is known. */
export interface BakeProgress {
  readonly phase: 'wait' | 'read' | 'index' | 'embed' | 'write';
  /** Seconds waited for another bake, documents read, passages indexed, passages with a vector, files written. */
  readonly done: number;
  readonly total?: number | undefined;
  /** `read`: the document just read. */
  readonly document?: string | undefined;
}

/** Options of `bake()`. */
export interface BakeOptions {
  /** Told as the bake goes on. */
  readonly onProgress?: ((progress: BakeProgress) => void) | undefined;
  /** Stops the bake; the index stays as it was. What is embedded by then is kept for the next one. */
  readonly signal?: AbortSignal | undefined;
  /** Embeds every passage again, as into an empty folder. Default: `false`. */
  readonly fresh?: boolean | undefined;
  /**
   * The longest wait for another bake of the same index, in milliseconds: 0 or more; then `index-busy` is
   * thrown. Default: 60,000.
   */
  readonly waitMs?: number | undefined;
}
