import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../dist/outage.js', import.meta.url));
const readme = new URL('../../../README.md', import.meta.url);

/** Times differ from run to run. */
function withoutTimes(text: string): string {
  return text.replace(/\d+\.\d ms/g, '# ms').trim();
}

it('the outage goes as the README shows it', async () => {
  const { stdout } = await run(process.execPath, [program]);
  const text = await readFile(readme, 'utf8');
  const [, shown = ''] = /^```\n(The embedder hangs.*?)^```/ms.exec(text) ?? [];
  expect(shown).not.toBe('');
  expect(withoutTimes(stdout)).toContain(withoutTimes(shown));
}, 60_000);
