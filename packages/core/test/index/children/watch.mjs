// Starts a base that watches its index, and leaves it running: node watch.mjs <options as JSON>
import { KnowledgeBase } from '../../../dist/index.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const base = new KnowledgeBase({ ...JSON.parse(process.argv[2]), logger: silent });
await base.start();
console.log('started');
