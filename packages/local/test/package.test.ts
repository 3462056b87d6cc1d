import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { copyPackage, type PackageCopy } from './package-copy.js';

let copy: PackageCopy;
beforeEach(() => {
  copy = copyPackage();
});
afterEach(() => copy.remove());

function modelFile(name: string): string {
  return join(copy.folder, 'dist', 'model', name);
}

function run(script: string): string {
  const file = join(copy.folder, 'script.mjs');
  writeFileSync(file, `import { localEmbedder } from './dist/index.js';\n${script}`);
  return execFileSync(process.execPath, [file], { encoding: 'utf8', timeout: 30_000 });
}

describe('a damaged package', () => {
  it.each(['weights.bin', 'vocabulary.json', 'kernel.wasm'])('names %s', async (name) => {
    const file = modelFile(name);
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const embedder = await copy.open();
    const call = embedder.embed(['a', 'b'], { kind: 'query' });
    await expect(call).rejects.toThrow(`${name} is not as it was published`);
    await embedder.close();
  });

  it('says that a file is cut short or missing', async () => {
    const embedder = await copy.open();
    truncateSync(modelFile('weights.bin'), 1000);
    await expect(embedder.embed(['a'], { kind: 'query' })).rejects.toThrow('weights.bin');
    rmSync(modelFile('weights.bin'));
    await expect(embedder.embed(['a'], { kind: 'passage' })).rejects.toThrow(
      'weights.bin cannot be read',
    );
    await embedder.close();
  });

  it.each(['', '{', 'null', '[]', '{"revision":1}'])('refuses %j as model.json', async (text) => {
    writeFileSync(modelFile('model.json'), text);
    await expect(copy.open()).rejects.toThrow("The local encoder's model.json");
  });
});

describe('a thread', () => {
  it('that dies rejects the text it had and is replaced', async () => {
    copy.changeWorker(
      `parentPort.on('message', (text) => { if (text === 'die') process.exit(1); });`,
    );
    const embedder = await copy.open();
    const [before] = await embedder.embed(['hello'], { kind: 'query' });
    const dead = embedder.embed(['die'], { kind: 'query' });
    const queued = embedder.embed(['hello'], { kind: 'query' });
    await expect(dead).rejects.toThrow('A thread of the local encoder stopped');
    expect(await queued).toEqual([before]);
    expect(await embedder.embed(['hello'], { kind: 'query' })).toEqual([before]);
    await embedder.close();
  });

  it('that throws says why, and not what the text was', async () => {
    copy.changeWorker(`Encoder.prototype.encode = () => { throw new Error('out of luck'); };`);
    const embedder = await copy.open();
    const call = embedder.embed(['secret'], { kind: 'passage' });
    await expect(call).rejects.toThrow(/^A thread of the local encoder stopped: out of luck$/);
    await embedder.close();
  });

  it('never begins the texts of an aborted call that it had not in hand', async () => {
    const log = join(copy.folder, 'log');
    copy.changeWorker(`const { appendFileSync } = await import('node:fs');
      parentPort.on('message', (text) => appendFileSync(${JSON.stringify(log)}, text + '\\n'));`);
    const embedder = await copy.open({ threads: 1 });
    const controller = new AbortController();
    const aborted = embedder.embed(['one', 'two', 'three'], {
      kind: 'passage',
      signal: controller.signal,
    });
    const kept = embedder.embed(['four', 'five'], { kind: 'passage' });
    controller.abort();
    await expect(aborted).rejects.toThrow('aborted');
    await kept;
    expect(readFileSync(log, 'utf8')).toBe('one\nfour\nfive\n');
    await embedder.close();
  });

  it('is shared by the embedders of a process', async () => {
    const log = join(copy.folder, 'log');
    copy.changeWorker(`const { appendFileSync } = await import('node:fs');
      appendFileSync(${JSON.stringify(log)}, 'started\\n');`);
    const [one, other] = [await copy.open(), await copy.open()];
    const texts = (by: typeof one): Promise<unknown> => by.embed(['a', 'b'], { kind: 'query' });
    await Promise.all([texts(one), texts(other)]);
    await one.close();
    await texts(other);
    expect(readFileSync(log, 'utf8')).toBe('started\n');
    await other.close();
  });
});

describe('a process', () => {
  it('waits for a call and then ends by itself, without close', () => {
    const output = run(`
      const embedder = localEmbedder({ threads: 2 });
      const texts = Array.from({ length: 20 }, String);
      await embedder.warmUp();
      console.log((await embedder.embed(texts, { kind: 'passage' })).length);`);
    expect(output).toBe('20\n');
  });

  it('waits for close', () => {
    const output = run(`
      const embedder = localEmbedder();
      await embedder.embed(['a'], { kind: 'query' });
      await embedder.close();
      console.log('closed');`);
    expect(output).toBe('closed\n');
  });

  it('gives its own flags to no thread', () => {
    const output = run(`
      import { execFileSync } from 'node:child_process';
      if (process.argv[2] !== 'child') {
        const flags = ['--input-type=module', '--eval'];
        const code = \`import(\${JSON.stringify(import.meta.url)})\`;
        process.stdout.write(execFileSync(process.execPath, [...flags, code, 'x', 'child']));
      } else {
        const embedder = localEmbedder();
        console.log((await embedder.embed(['a'], { kind: 'query' })).length);
      }`);
    expect(output).toBe('1\n');
  });
});
