import { invalidOption, KnowledgeError } from './errors.js';
import type { ResolvedOptions } from './options.js';

/** What a bake and a start need of the process: a mode this version has, and the credential. */
export function assertReady({ mode, credentialEnv }: ResolvedOptions): void {
  if (mode !== 'keyword') throw invalidOption('mode', "'keyword' in this version");
  if (credentialEnv === undefined || process.env[credentialEnv]) return;
  const message = `environment variable ${credentialEnv} is not set; set it for this process.`;
  throw new KnowledgeError({ code: 'credential-missing', message });
}
