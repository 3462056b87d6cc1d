/**
 * Where a base writes its few lines; `console` fits. A line holds names, counts and times, never a
 * query or a passage.
 */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
