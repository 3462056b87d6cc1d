// The conformance suites of core's contracts. They need vitest, which the package that runs them brings.
export { describeEmbedder, type EmbedderSuiteOptions } from './testing/describe-embedder.js';
