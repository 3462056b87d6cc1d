import { defineKnowledge, type KnowledgeConfig } from '@cuecard/core';

import { bases } from './src/bases.js';

const config: KnowledgeConfig = defineKnowledge({ bases });

export default config;
