import { KnowledgeError } from '../errors.js';

/** Throws unless model vendors take `name` as the name of a tool. */
export function assertToolName(name: unknown): void {
  if (typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name)) return;
  throw invalidTool(`Tool '${String(name)}'`, 'name', '1 to 64 letters, digits, _ or -');
}

/** Whether a value is a whole number of milliseconds from `least` to 60000. */
export function isMilliseconds(value: unknown, least: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= 60_000;
}

/** A wrong option of `subject`, a tool or a plan; `allowed` says in words what it may be. */
export function invalidTool(subject: string, field: string, allowed: string): KnowledgeError {
  const message = `${subject}: option '${field}' is not valid; allowed: ${allowed}.`;
  return new KnowledgeError({ code: 'options-invalid', message, field, allowed });
}
