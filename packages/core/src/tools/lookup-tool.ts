import { invalidOption } from '../errors.js';
import type { LookupOptions, LookupResult } from '../lookup/lookup-result.js';
import type { ToolSpec } from './tool.js';

/** Options of `KnowledgeBase.tool()`. */
export interface LookupToolOptions {
  /** Default `look_up`. `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name?: string;
  /** When to look up, in the words of the agent's author; our note on the results follows it. Default: the note alone. */
  readonly description?: string;
  /** Said while the caller waits. */
  readonly announce?: string;
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

/** A tool over a base's lookup. A wrong name throws `options-invalid`. */
export function lookupTool(
  base: string,
  lookUp: LookUp,
  options: LookupToolOptions,
): ToolSpec<LookupArguments, unknown, LookupResult> {
  const { name = 'look_up', description = '', announce } = options;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    throw invalidOption('name', '1 to 64 letters, digits, _ or -', base);
  }
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
    run: async (args, context) => {
      const query = queryOf(args);
      if (query === undefined) return { error: 'lookup unavailable' };
      return lookUp(query, { signal: context?.signal });
    },
  };
}

/** Models send what they like; without a query nothing can be searched. */
function queryOf(args: unknown): string | undefined {
  const query: unknown =
    typeof args === 'object' && args !== null ? Reflect.get(args, 'query') : undefined;
  return typeof query === 'string' ? query : undefined;
}
