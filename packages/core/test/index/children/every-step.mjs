import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const calls = ['mkdir', 'open', 'readdir', 'readFile', 'rename', 'rm', 'stat', 'utimes'];
const handleCalls = ['writeFile', 'sync'];

/** Has `onStep(name, args)` run before every call that changes or looks at files, from now on and in this process. */
export function beforeEveryStep(onStep) {
  const wrap = (target, name) => {
    const original = target[name];
    target[name] = async (...args) => {
      await onStep(name, args, (content) => original.call(target, content));
      const result = await original.apply(target, args);
      if (name === 'open') for (const call of handleCalls) wrap(result, call);
      return result;
    };
  };
  for (const name of calls) wrap(files, name);
  syncBuiltinESMExports();
}
