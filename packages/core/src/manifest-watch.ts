import { stat } from 'node:fs/promises';

/** A manifest that could not be loaded is tried again after growing pauses: its files may still be on their way. */
const longestPauseMs = 60_000;

/** What a watch calls. */
interface ManifestWatchCalls {
  /** The manifest may be another; called again later when it fails. */
  readonly onChange: () => Promise<void>;
  /** `onChange` failed; told once for each manifest. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Looks at a manifest every few seconds. Notices of the system would be sooner, but they do not come
 * from network file systems and many bind mounts. It keeps no process alive.
 */
export class ManifestWatch {
  readonly #path: string;
  readonly #everyMs: number;
  readonly #calls: ManifestWatchCalls;
  #timer: NodeJS.Timeout | undefined;
  #seen: string | undefined;
  #failures = 0;
  #retryAt = 0;

  constructor(path: string, everyMs: number, calls: ManifestWatchCalls) {
    this.#path = path;
    this.#everyMs = everyMs;
    this.#calls = calls;
  }

  start(): void {
    if (this.#timer) return;
    this.#seen = undefined;
    this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The next look is timed when the last one is done, so that looks never overlap. */
  #wait(): void {
    const timer = setTimeout(() => {
      void this.#look().finally(() => {
        if (this.#timer === timer) this.#wait();
      });
    }, this.#everyMs);
    this.#timer = timer.unref();
  }

  async #look(): Promise<void> {
    const found = await identityOf(this.#path);
    const isOther = found !== this.#seen;
    if (!isOther && (this.#failures === 0 || performance.now() < this.#retryAt)) return;
    this.#seen = found;
    if (isOther) this.#failures = 0;
    try {
      await this.#calls.onChange();
      this.#failures = 0;
    } catch (error) {
      this.#retryAt =
        performance.now() + Math.min(longestPauseMs, this.#everyMs * 2 ** this.#failures);
      this.#failures++;
      if (isOther) this.#calls.onFailure(error);
    }
  }
}

/** What tells one state of a file from another, or the code of why it cannot be told. */
async function identityOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  }
}
