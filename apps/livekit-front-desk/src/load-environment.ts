import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

/** Reads `.env` in the folder of this app, where there is one; what is set already stays. */
export function loadEnvironment(): void {
  const file = new URL('../.env', import.meta.url);
  if (existsSync(file)) loadEnvFile(file);
}
