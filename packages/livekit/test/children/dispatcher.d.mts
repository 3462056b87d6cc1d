export interface Dispatcher {
  /** For the worker's `--url`. */
  readonly url: string;
  /** Settles when a worker has registered. */
  readonly registered: Promise<void>;
  /** Assigns a job to the worker. */
  dispatch(id: string): void;
  close(): Promise<void>;
}

/** Starts a dispatcher on a free port. */
export declare function startDispatcher(): Promise<Dispatcher>;
