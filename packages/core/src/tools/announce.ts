import { invalidTool, isMilliseconds } from './invalid-tool.js';

/** What an announce line may depend on. */
export interface AnnounceContext<S = unknown> {
  readonly session?: S | undefined;
}

/** One line, several that take turns, or a function that makes one. */
export type AnnounceSay<S = unknown> =
  | string
  | readonly string[]
  | ((context: AnnounceContext<S>) => string);

/** What a caller hears while a tool keeps them waiting. A string alone is a line with the usual wait. */
export type Announce<S = unknown> =
  | string
  | {
      readonly say: AnnounceSay<S>;
      /** How long the wait must last before the line is spoken, in milliseconds: 0–60000. Default 400. */
      readonly afterMs?: number | undefined;
    };

/** An {@link Announce} with its default filled in. */
export interface ToolAnnounce<S = unknown> {
  readonly say: AnnounceSay<S>;
  readonly afterMs: number;
}

/**
 * The line to speak while `spec` runs; `last` is the one spoken before, which several lines never repeat.
 * `undefined` when there is none, or when making it failed: then say nothing.
 */
export function announceLine<S>(
  spec: { readonly announce?: ToolAnnounce<S> | undefined },
  context: AnnounceContext<S>,
  last?: string,
): string | undefined {
  const say = spec.announce?.say;
  if (say === undefined) return undefined;
  if (typeof say !== 'function') return nextLine(typeof say === 'string' ? [say] : say, last);
  try {
    return nextLine([say(context)], last);
  } catch {
    return undefined;
  }
}

function nextLine(lines: readonly unknown[], last: string | undefined): string | undefined {
  const spoken = lines.flatMap((line) => (typeof line === 'string' ? [line.trim()] : []));
  const usable = spoken.filter((line) => line !== '');
  const at = last === undefined ? -1 : usable.indexOf(last);
  const turned = [...usable.slice(at + 1), ...usable.slice(0, at + 1)];
  return turned.find((line) => line !== last) ?? turned[0];
}

/** Fills in the default; a wrong one throws `options-invalid`, said of `subject`. */
export function resolveAnnounce<S>(
  announce: Announce<S> | undefined,
  subject: string,
): ToolAnnounce<S> | undefined {
  if (announce === undefined) return undefined;
  const { say, afterMs = 400 } = typeof announce === 'string' ? { say: announce } : announce;
  const lines: readonly unknown[] = Array.isArray(say) ? say : [say];
  if (typeof say !== 'function' && (lines.length === 0 || !lines.every(isLine)))
    throw invalidTool(subject, 'announce', 'a line, a list of lines, or a function that makes one');
  if (!isMilliseconds(afterMs, 0))
    throw invalidTool(subject, 'announce', 'afterMs from 0 to 60000 milliseconds');
  return { say, afterMs };
}

function isLine(line: unknown): boolean {
  return typeof line === 'string' && line.trim() !== '';
}
