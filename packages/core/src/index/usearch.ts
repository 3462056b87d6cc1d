import type * as usearchModule from 'usearch';

import { connectivity } from './vector-file.js';

export type Usearch = typeof usearchModule;
export type NativeIndex = InstanceType<Usearch['Index']>;
type NativeSettings = Exclude<ConstructorParameters<Usearch['Index']>[0], number | bigint>;

/** usearch, or `undefined` where it has no native build (Alpine, Windows, old C libraries). */
export async function loadUsearch(): Promise<Usearch | undefined> {
  return import('usearch').catch(() => undefined);
}

/** The settings that all of our indexes have; `width` is how far a search looks around. */
export function nativeSettings(
  { MetricKind, ScalarKind }: Usearch,
  dimensions: number,
  width: number,
): NativeSettings {
  return {
    dimensions,
    metric: MetricKind.Cos,
    quantization: ScalarKind.F16,
    connectivity,
    expansion_add: 256,
    expansion_search: width,
    multi: false,
  };
}
