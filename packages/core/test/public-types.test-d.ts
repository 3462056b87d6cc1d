import { expectTypeOf } from 'vitest';

import {
  KnowledgeBase,
  type KnowledgeBaseOptions,
  type KnowledgeConfig,
  type LookupResult,
  type SearchHit,
  type ToolSpec,
  defineKnowledge,
} from '../src/index.js';

const base = new KnowledgeBase({ name: 'refunds', documents: './documents' });

expectTypeOf(base.lookUp('query')).resolves.toEqualTypeOf<LookupResult>();
expectTypeOf<KnowledgeBase['lookUp']>()
  .parameter(1)
  .extract<{ topK?: number | undefined }>()
  .not.toBeNever();
expectTypeOf(base.tool()).toExtend<ToolSpec<{ readonly query: string }>>();
expectTypeOf<Parameters<ToolSpec<{ readonly query: string }>['run']>[0]>().toEqualTypeOf<{
  readonly query: string;
}>();
expectTypeOf(defineKnowledge({ bases: [base] })).toEqualTypeOf<KnowledgeConfig>();
expectTypeOf<KnowledgeBaseOptions['mode']>().toEqualTypeOf<
  'meaning' | 'keyword' | 'hybrid' | undefined
>();
expectTypeOf<SearchHit['score']>().toEqualTypeOf<number | undefined>();

expectTypeOf(base.reload()).resolves.toEqualTypeOf<boolean>();
expectTypeOf(base.ready).toEqualTypeOf<Promise<void>>();
expectTypeOf(base.status().loadedAt).toEqualTypeOf<Date | undefined>();
expectTypeOf<KnowledgeBaseOptions['watch']>().toEqualTypeOf<boolean | number | undefined>();

declare const result: LookupResult;
if ('results' in result) {
  expectTypeOf(result.results[0]?.text).toEqualTypeOf<string | undefined>();
} else {
  expectTypeOf(result.error).toEqualTypeOf<'lookup unavailable'>();
}

// @ts-expect-error a base needs a name
void new KnowledgeBase({ documents: './documents' });
// @ts-expect-error there is no such mode
void new KnowledgeBase({ name: 'refunds', mode: 'fuzzy' });
// @ts-expect-error names, tenants and settings come from the index
void KnowledgeBase.fromIndex('./index', { chunkSize: 90 });
