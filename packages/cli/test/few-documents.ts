import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

import { writeFiles } from './run-cli.js';

const documents = {
  'docs/hours.md': '# Hours\n\nThe desk opens at nine on weekdays.\n',
  'docs/money.md': '# Money\n\nTickets are refundable within ten days of purchase.\n',
  'docs/pets.md': '# Pets\n\nSmall dogs travel in the cabin for thirty pounds.\n',
};

/** `money.md` answers it without having a word of it. */
export const query = 'could you reimburse me';

/** A folder with `docs` for all tests of a file; returns the way to its path. */
export function folderOfDocuments(): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cuecard-cli-'));
    await writeFiles(folder, documents);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
