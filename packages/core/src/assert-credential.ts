import { KnowledgeError } from './errors.js';
import type { ResolvedOptions } from './options.js';

/** Throws `credential-missing` when the variable of `credentialEnv` is not set. Its value is not looked at. */
export function assertCredential({ credentialEnv }: ResolvedOptions): void {
  if (credentialEnv === undefined || process.env[credentialEnv]) return;
  const message = `environment variable ${credentialEnv} is not set; set it for this process.`;
  throw new KnowledgeError({ code: 'credential-missing', message });
}
