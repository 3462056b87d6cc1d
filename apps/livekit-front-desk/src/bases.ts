import type { KnowledgeBase } from '@cuecard/core';
import { openBase } from '@cuecard/knowledge';

// The encoder that runs in this process: a base then needs no key, whatever the model of the agent needs.
const options = { encoder: 'local' } as const;

export const refunds: KnowledgeBase = openBase('refunds', options);
export const luggage: KnowledgeBase = openBase('luggage', options);
export const travel: KnowledgeBase = openBase('travel', options);

export const bases: readonly KnowledgeBase[] = [refunds, luggage, travel];
