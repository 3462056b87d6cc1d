import { describeEmbedder } from '@cuecard/core/testing';
import { startFakeOpenAI } from '@cuecard/testing';
import { afterAll } from 'vitest';

import { openaiEmbedder } from '../src/index.js';
import { key } from './support.js';

const server = await startFakeOpenAI({ apiKey: key });
afterAll(() => server.close());

describeEmbedder('openaiEmbedder', () => openaiEmbedder({ apiKey: key, baseURL: server.url }));
