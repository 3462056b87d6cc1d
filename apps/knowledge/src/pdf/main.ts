import { readFile, writeFile } from 'node:fs/promises';

import { pdfs, renderPdf } from './generate.js';

const knowledge = new URL('../../', import.meta.url);

async function generate(source: string, target: string): Promise<void> {
  const markdown = await readFile(new URL(source, knowledge), 'utf8');
  await writeFile(new URL(target, knowledge), await renderPdf(markdown));
}

await Promise.all(pdfs.map(({ source, target }) => generate(source, target)));
