const marker: symbol = Symbol.for('cuecard.ToolError');

/**
 * An error whose message is meant for the model: throw it from a tool's `run` to say what went wrong and what to do.
 * The model reads at most 500 characters of it. `instanceof` holds across two copies of this package.
 */
export class ToolError extends Error {
  override readonly name: string = 'ToolError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, marker, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const isOurs = typeof value === 'object' && value !== null && marker in value;
    return (
      isOurs && (this === ToolError || Function.prototype[Symbol.hasInstance].call(this, value))
    );
  }
}
