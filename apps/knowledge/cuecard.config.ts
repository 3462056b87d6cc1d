import { defineKnowledge, type KnowledgeConfig } from '@cuecard/core';

import { openBase } from './src/bases.js';

const config: KnowledgeConfig = defineKnowledge({
  bases: [openBase('refunds'), openBase('luggage'), openBase('fares'), openBase('travel')],
});

export default config;
