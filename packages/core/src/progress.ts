/** Where a bake is. `total` is there when it is known. */
export interface BakeProgress {
  readonly phase: 'read' | 'index' | 'embed' | 'write';
  /** Documents read, passages indexed, passages embedded, files written. */
  readonly done: number;
  readonly total?: number | undefined;
  /** `read`: the document just read. */
  readonly document?: string | undefined;
}

/** Options of `bake()`. */
export interface BakeOptions {
  /** Told as the bake goes on. */
  readonly onProgress?: ((progress: BakeProgress) => void) | undefined;
  /** Stops the bake; the index stays as it was. */
  readonly signal?: AbortSignal | undefined;
}
