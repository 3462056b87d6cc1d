import { describeEmbedder } from '@cuecard/core/testing';

import { localEmbedder } from '../dist/index.js';

describeEmbedder('localEmbedder', () => localEmbedder());
