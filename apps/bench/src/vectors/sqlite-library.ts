import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { HybridCorpus } from './hybrid-corpus.js';
import type { HybridFigures, HybridLibrary } from './hybrid-library.js';

const script = fileURLToPath(new URL('../../peers/sqlite_vec_fts5.py', import.meta.url));
const run = promisify(execFile);

/** In Python, where its packages need no compiler; it gets the corpus through files and times itself. */
export const sqliteLibrary: HybridLibrary = {
  name: 'sqlite-vec + FTS5',
  needs: 'CUECARD_BENCH_PYTHON, a Python with sqlite-vec and apsw',
  async measure(corpus, folder) {
    const python = process.env['CUECARD_BENCH_PYTHON'];
    if (python === undefined) return undefined;
    const files = join(folder, 'sqlite');
    await writeCorpus(corpus, files);
    const { stdout } = await run(python, [script, files, String(corpus.vectors.dimensions)]);
    return figuresOf(JSON.parse(stdout));
  },
};

async function writeCorpus(corpus: HybridCorpus, folder: string): Promise<void> {
  const { passages, questions, vectors } = corpus;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'passages.json'), JSON.stringify(passages));
  await writeFile(join(folder, 'questions.json'), JSON.stringify(questions));
  await writeFile(join(folder, 'passages.f32'), bytesOf(vectors.rows));
  await writeFile(join(folder, 'questions.f32'), bytesOf(vectors.questions));
}

function bytesOf(vectors: readonly Float32Array[]): Buffer {
  return Buffer.concat(vectors.map((vector) => new Uint8Array(vector.buffer)));
}

function figuresOf(printed: unknown): HybridFigures {
  const [buildMs, p50, p99] = ['buildMs', 'p50', 'p99'].map((name) =>
    Number(typeof printed === 'object' && printed !== null ? Reflect.get(printed, name) : ''),
  );
  return { buildMs: buildMs ?? Number.NaN, p50: p50 ?? Number.NaN, p99: p99 ?? Number.NaN };
}
