import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type * as local from '@cuecard/local';

export interface PackageCopy {
  /** A folder that holds `dist` as it was built. */
  readonly folder: string;
  open(options?: local.LocalEmbedderOptions): Promise<local.LocalEmbedder>;
  /** Puts a line into the worker's code, before the encoder is made. */
  changeWorker(line: string): void;
  remove(): void;
}

/** A copy of the built package, to be damaged. */
export function copyPackage(): PackageCopy {
  const folder = mkdtempSync(join(tmpdir(), 'cuecard-local-'));
  cpSync(fileURLToPath(new URL('../dist', import.meta.url)), join(folder, 'dist'), {
    recursive: true,
  });
  cpSync(fileURLToPath(new URL('../package.json', import.meta.url)), join(folder, 'package.json'));
  return {
    folder,
    open: async (options) => {
      const entry = pathToFileURL(join(folder, 'dist', 'index.js')).href;
      const { localEmbedder }: typeof local = await import(entry);
      return localEmbedder(options);
    },
    changeWorker: (line) => {
      const worker = join(folder, 'dist', 'encoder-worker.js');
      const code = readFileSync(worker, 'utf8');
      writeFileSync(worker, code.replace('const encoder', `${line}\nconst encoder`));
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
