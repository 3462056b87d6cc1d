import { describeHost } from '../../src/testing.js';
import { LoopHost } from './loop-host.js';

describeHost('a bare model loop', new LoopHost());
