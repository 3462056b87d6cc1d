import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The encoder computes for real, and each copy of the package starts its own threads.
    testTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
  },
});

export default config;
