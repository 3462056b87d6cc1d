import type { ToolFailure, ToolOutcome } from './tool-outcome.js';

const sentences: Readonly<Record<ToolFailure, string>> = {
  'bad-arguments': "The arguments do not fit this tool's parameters.",
  timeout: 'The tool did not answer in time.',
  failed: 'The tool failed.',
  'unknown-tool': 'There is no such tool here.',
  cancelled: 'The tool was stopped.',
};

/** What a failure adds to its reason. */
export interface FailureDetails {
  /** What the model reads in place of the fixed sentence. */
  readonly said?: string | undefined;
  /** Whether the tool was begun, and changes something. */
  readonly mayTakeEffect?: boolean;
  readonly cause?: unknown;
}

/** An error outcome. The model reads a fixed sentence: what was thrown may hold anything. */
export function toolFailure(reason: ToolFailure, details: FailureDetails = {}): ToolOutcome {
  const { said = sentences[reason], mayTakeEffect = false, cause } = details;
  const error = mayTakeEffect ? `${said} It may still take effect.` : said;
  return { kind: 'error', reason, value: { error }, ...(cause === undefined ? {} : { cause }) };
}
