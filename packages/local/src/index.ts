// The whole public surface of this package. A new line here is a promise to its users.
export { localEmbedder, type LocalEmbedder, type LocalEmbedderOptions } from './local-embedder.js';
