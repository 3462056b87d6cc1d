import { spawnSync } from 'node:child_process';

import type { ChildOptions } from './child.js';

export const isRoot: boolean = process.getuid?.() === 0;
export const nobody: ChildOptions = isRoot ? { uid: 65_534, gid: 65_534 } : {};

const builtPackage = new URL('../../dist/index.js', import.meta.url);

/** Permissions say nothing to root, and a checkout may be closed to everybody else. */
export const canBeNobody: boolean =
  process.platform !== 'win32' &&
  spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `await import(${JSON.stringify(builtPackage.href)})`],
    { ...nobody, cwd: '/' },
  ).status === 0;
