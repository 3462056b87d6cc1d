import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Index, MetricKind, ScalarKind, exactSearch } from 'usearch';

import { percentile, timed } from '../speed/measuring.js';
import { clusteredVectors, type VectorSet } from './clustered-vectors.js';
import { loadCoreVectors, openVectorFile } from './core-vectors.js';

/** How one way of finding the nearest three vectors did. */
export interface NearestMeasurement {
  readonly rows: number;
  readonly dimensions: number;
  readonly way: string;
  /** Milliseconds to make its index of the vectors; `NaN` where it needs none. */
  readonly buildMs: number;
  /** Milliseconds to open it, digest included; `NaN` where it needs no file. */
  readonly openMs: number;
  /** Share of the exact nearest three that it found. */
  readonly recall: number;
  /** Share of the native search's nearest three that our scan found too; `NaN` for the others. */
  readonly ofNative: number;
  /** Microseconds of a search. */
  readonly p50: number;
  readonly p99: number;
}

type Search = (query: Float32Array) => readonly number[];

interface Opened {
  readonly search: Search;
  readonly buildMs: number;
  readonly openMs: number;
  readonly close?: () => Promise<void>;
}

interface Way {
  readonly name: string;
  open(): Promise<Opened>;
}

const best = 3;
const questionCount = 200;
const passes = 3;
/** No further pass over the questions begins after this. */
const enoughMs = 3_000;

/** Measures every way in this process, one after another, over the same vectors. */
export async function measureNearest(
  rows: number,
  dimensions: number,
  folder: string,
): Promise<NearestMeasurement[]> {
  const set = clusteredVectors(dimensions, rows, questionCount);
  const measurements: NearestMeasurement[] = [];
  let exact: readonly (readonly number[])[] = [];
  let native: readonly (readonly number[])[] = [];
  for (const way of waysOf(set, join(folder, `vectors-${rows}-${dimensions}`))) {
    const { search, buildMs, openMs, close } = await way.open();
    const { found, p50, p99 } = askAll(search, set.questions);
    await close?.();
    if (way.name === bruteForce) exact = found;
    if (way.name === ours) native = found;
    const ofNative = way.name === scan ? shareFound(found, native) : Number.NaN;
    const recall = shareFound(found, exact);
    measurements.push({
      rows,
      dimensions,
      way: way.name,
      buildMs,
      openMs,
      recall,
      ofNative,
      p50,
      p99,
    });
  }
  return measurements;
}

const bruteForce = 'JavaScript, float32, exact';
export const ours = 'cuecard, native';
export const scan = 'cuecard, WebAssembly';

function waysOf(set: VectorSet, path: string): readonly Way[] {
  const { dimensions, rows } = set;
  const none = { buildMs: Number.NaN, openMs: Number.NaN };
  return [
    { name: bruteForce, open: async () => ({ ...none, search: (query) => scanAll(set, query) }) },
    {
      name: ours,
      async open() {
        const core = await loadCoreVectors();
        const built = await timed(() => core.writeVectors(rows, dimensions));
        await writeFile(path, built.value);
        const opened = await timed(() => openVectorFile(core, path, dimensions, 'native'));
        const search: Search = (query) => passagesOf(opened.value.nearest(query, best));
        const close = (): Promise<void> => opened.value.close();
        return { search, buildMs: built.ms, openMs: opened.ms, close };
      },
    },
    {
      name: scan,
      async open() {
        const core = await loadCoreVectors();
        const opened = await timed(() => openVectorFile(core, path, dimensions, 'wasm'));
        const search: Search = (query) => passagesOf(opened.value.nearest(query, best));
        const close = (): Promise<void> => opened.value.close();
        return { search, buildMs: Number.NaN, openMs: opened.ms, close };
      },
    },
    {
      name: 'usearch, its defaults',
      async open() {
        const index = new Index(dimensions, MetricKind.Cos, ScalarKind.F32);
        const { ms } = await timed(() =>
          index.add(
            BigUint64Array.from(rows, (_, at) => BigInt(at)),
            matrixOf(set),
            0,
          ),
        );
        const search: Search = (query) => keysOf(index.search(query, best, 1));
        return { search, buildMs: ms, openMs: Number.NaN };
      },
    },
    {
      name: 'usearch, exactSearch',
      async open() {
        const matrix = matrixOf(set);
        const search: Search = (query) =>
          keysOf(exactSearch(matrix, query, dimensions, best, MetricKind.Cos, 1));
        return { ...none, search };
      },
    },
  ];
}

function passagesOf(hits: readonly { readonly passage: number }[]): number[] {
  return hits.map(({ passage }) => passage);
}

function keysOf({ keys }: { readonly keys: BigUint64Array }): number[] {
  return Array.from(keys, Number);
}

function matrixOf({ rows, dimensions }: VectorSet): Float32Array {
  const matrix = new Float32Array(rows.length * dimensions);
  rows.forEach((row, at) => matrix.set(row, at * dimensions));
  return matrix;
}

/** Exact: the dot product with every row, the best three kept. */
function scanAll({ rows }: VectorSet, query: Float32Array): number[] {
  let kept: { readonly row: number; readonly score: number }[] = [];
  rows.forEach((vector, row) => {
    let score = 0;
    for (let at = 0; at < vector.length; at++) score += (vector[at] ?? 0) * (query[at] ?? 0);
    if (kept.length === best && score <= (kept.at(-1)?.score ?? 0)) return;
    kept = [...kept, { row, score }].toSorted((a, b) => b.score - a.score).slice(0, best);
  });
  return kept.map(({ row }) => row);
}

/** What was found for each question, and the times, each question at the fastest of its passes. */
function askAll(search: Search, questions: readonly Float32Array[]) {
  const began = performance.now();
  const fastest = questions.map(() => Number.POSITIVE_INFINITY);
  let found: readonly (readonly number[])[] = [];
  for (let pass = 0; pass < passes && (pass === 0 || performance.now() - began < enoughMs); pass++)
    found = questions.map((question, at) => {
      const start = performance.now();
      const rows = search(question);
      fastest[at] = Math.min(performance.now() - start, fastest[at] ?? 0);
      return rows;
    });
  return {
    found,
    p50: percentile(fastest, 0.5) * 1000,
    p99: percentile(fastest, 0.99) * 1000,
  };
}

function shareFound(
  found: readonly (readonly number[])[],
  exact: readonly (readonly number[])[],
): number {
  const hits = exact.map((rows, at) => rows.filter((row) => found[at]?.includes(row)).length);
  return hits.reduce((sum, count) => sum + count, 0) / (exact.length * best);
}
