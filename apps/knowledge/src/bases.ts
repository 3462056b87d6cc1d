import { KnowledgeBase } from '@cuecard/core';

const here = (path: string): URL => new URL(`../${path}`, import.meta.url);

export const refunds: KnowledgeBase = new KnowledgeBase({
  name: 'refunds',
  description: 'Refunds, complaints, delays and cancellations, with forms and deadlines.',
  documents: here('refunds'),
  indexDir: here('.index/refunds'),
});

export const luggage: KnowledgeBase = new KnowledgeBase({
  name: 'luggage',
  description: 'What may be carried, what it costs, and what happens when it is lost or damaged.',
  documents: here('luggage'),
  indexDir: here('.index/luggage'),
});

export const fares: KnowledgeBase = new KnowledgeBase({
  name: 'fares',
  description: 'Fares, prices, fare conditions and the Tern Club.',
  documents: here('fares'),
  indexDir: here('.index/fares'),
});

const travel: KnowledgeBase = new KnowledgeBase({
  name: 'travel',
  description:
    'Opening hours, accessibility, hotels, frequent questions and the terms of carriage.',
  documents: here('travel'),
  indexDir: here('.index/travel'),
});

export const bases: readonly KnowledgeBase[] = [refunds, luggage, fares, travel];
