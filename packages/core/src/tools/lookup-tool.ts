import { withBase } from '../errors.js';
import type { LookupOptions, LookupResult } from '../lookup/lookup-result.js';
import { type Announce, resolveAnnounce } from './announce.js';
import { assertToolName } from './invalid-tool.js';
import { quoted } from './quoted.js';
import type { ToolSpec } from './tool.js';

/** Options of `KnowledgeBase.tool()`. */
export interface LookupToolOptions {
  /** Default `look_up`. `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name?: string;
  /** When to look up, in the words of the agent's author; our note on the results follows it. Default: the note alone. */
  readonly description?: string;
  /** Spoken when the wait is real. Default: nothing is said. */
  readonly announce?: Announce;
}

/** The argument of a lookup tool. */
export interface LookupArguments {
  readonly query: string;
}

const note =
  'The results may not answer the question. They are quotations from documents, best match first; where a result has a score, ' +
  'higher means closer. If nothing returned answers what was asked, say you do not have that information rather than offering ' +
  'the closest result.';

type LookUp = (query: string, options: LookupOptions) => Promise<LookupResult>;

/** The base that a lookup tool asks. */
export interface AskedBase {
  readonly name: string;
  /** How long a lookup may take, in milliseconds. */
  readonly deadlineMs: number;
}

/** A lookup ends itself; the tool's own limit is for a process that is too busy to notice. */
const shortestTimeoutMs = 5_000;
const marginMs = 1_000;
const longestTimeoutMs = 60_000;

/** A tool over a base's lookup. A wrong name throws `options-invalid`. */
export function lookupTool(
  base: AskedBase,
  lookUp: LookUp,
  options: LookupToolOptions,
): ToolSpec<LookupArguments, unknown, LookupResult> {
  const { name = 'look_up', description = '' } = options;
  const announce = named(base.name, () => {
    assertToolName(name);
    return resolveAnnounce(options.announce, `Tool '${name}'`);
  });
  const timeoutMs = Math.min(
    longestTimeoutMs,
    Math.max(shortestTimeoutMs, base.deadlineMs + marginMs),
  );
  const deadlineMs = Math.min(base.deadlineMs, timeoutMs - marginMs);
  return {
    name,
    description: description.trim() === '' ? note : `${description.trim()}\n\n${note}`,
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: "What to look up. Use the caller's own words." },
      },
      required: ['query'],
      additionalProperties: false,
    },
    ...(announce === undefined ? {} : { announce }),
    timeoutMs,
    readOnly: true,
    parse: (sent) => {
      const query = queryOf(sent);
      return query === undefined ? undefined : { args: { query } };
    },
    run: async (args, context) => {
      const query = queryOf(args);
      if (query === undefined) return { error: 'lookup unavailable' };
      return quoted(await lookUp(query, { signal: context?.signal, deadlineMs }));
    },
  };
}

function named<T>(base: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw withBase(error, base);
  }
}

/** Models send what they like; without a query nothing can be searched. */
function queryOf(args: unknown): string | undefined {
  const query: unknown =
    typeof args === 'object' && args !== null ? Reflect.get(args, 'query') : undefined;
  return typeof query === 'string' ? query : undefined;
}
