// The compiler's second build is CommonJS inside a package of ES modules; Node tells by the nearest package.json.
import { writeFileSync } from 'node:fs';

writeFileSync(
  new URL('../dist/cjs/package.json', import.meta.url),
  `${JSON.stringify({ type: 'commonjs' })}\n`,
);
