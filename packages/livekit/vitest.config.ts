import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Calls take their time: most of it is waiting, and every file loads the whole framework.
    maxWorkers: 3,
    testTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
  },
});

export default config;
