import type * as usearchModule from 'usearch';

import { connectivity } from './vector-file.js';

export type Usearch = typeof usearchModule;
export type NativeIndex = InstanceType<Usearch['Index']>;

/** usearch, or `undefined` where it has no native build (Alpine, Windows, old C libraries). */
export async function loadUsearch(): Promise<Usearch | undefined> {
  return import('usearch').catch(() => undefined);
}

/** An index with the settings that all of ours have; `width` is how far a search looks around. */
export function newNativeIndex(usearch: Usearch, dimensions: number, width: number): NativeIndex {
  return new usearch.Index({
    dimensions,
    metric: usearch.MetricKind.Cos,
    quantization: usearch.ScalarKind.F16,
    connectivity,
    expansion_add: 256,
    expansion_search: width,
    multi: false,
  });
}
