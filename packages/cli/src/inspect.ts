import type { EmbedderIdentity, IndexSummary, PassageSummary } from '@cuecard/core';

import { exitCodes } from './exit-codes.js';
import { basesToRead, withBases, type CommonOptions } from './load-bases.js';
import { columns, count, perBase, size, type Report } from './output.js';

const mostDocuments = 50;
const vectorsFile = 'vectors.usearch';

/** Shows what the index of every base of the target holds. */
export async function inspect(path: string | undefined, options: CommonOptions): Promise<Report> {
  const summaries = await withBases(await basesToRead(path, options), (bases) =>
    Promise.all(bases.map((base) => base.inspect())),
  );
  const lines = summaries.flatMap((summary) => [...summaryLines(summary), '']).slice(0, -1);
  return { json: perBase(summaries), lines, exitCode: exitCodes.done };
}

function summaryLines(summary: IndexSummary): string[] {
  const { base, generation, format, settings, tokenizer, counts, artefacts, documents } = summary;
  const { embedder } = summary;
  const held = [count(counts.documents, 'document'), count(counts.passages, 'passage')];
  const more = documents.length - mostDocuments;
  return [
    ...columns([
      ['base', base.tenant === null ? base.name : `${base.name} of tenant ${base.tenant}`],
      ['generation', `${generation} (format ${format})`],
      ['mode', settings.mode],
      ['passages', `up to ${settings.chunkSize} tokens, overlap ${settings.chunkOverlap}`],
      ['language', `${tokenizer.language} (asked: ${settings.language})`],
      ...(embedder ? embedderRows(embedder, summary) : []),
      ['holds', [...held, count(counts.tokens, 'token'), count(counts.terms, 'term')].join(', ')],
    ]),
    '',
    'files',
    ...columns(
      Object.entries(artefacts).map(([file, bytes]) => [file, size(bytes)]),
      '  ',
    ),
    'documents: size, passages, tokens',
    ...columns(documents.slice(0, mostDocuments).map(documentRow), '  '),
    ...(more > 0 ? [`  and ${more} more; --json lists them all`] : []),
    'longest passages, in tokens',
    ...columns(summary.longest.map(passageRow), '  '),
    'shortest passages, in tokens',
    ...columns(summary.shortest.map(passageRow), '  '),
  ];
}

function embedderRows(embedder: EmbedderIdentity, summary: IndexSummary): string[][] {
  const { id, revision, dimensions, maxTokens } = embedder;
  const bytes = summary.artefacts[vectorsFile] ?? 0;
  const each = size(Math.round(bytes / Math.max(1, summary.counts.passages)));
  const limit = count(maxTokens, 'token');
  return [
    ['embedder', `${id}, revision ${revision.slice(0, 12)}, reads ${limit} of a text`],
    ['vectors', `${count(dimensions, 'dimension')}, ${size(bytes)}, ${each} a passage`],
  ];
}

function documentRow({ name, bytes, passages, tokens }: IndexSummary['documents'][number]) {
  return [name, size(bytes), String(passages), String(tokens)];
}

function passageRow({ tokens, document, heading, text }: PassageSummary): string[] {
  const line = `${heading === '' ? '' : `${heading}: `}${text.replace(/\s+/g, ' ')}`;
  return [String(tokens), document, line.length > 80 ? `${line.slice(0, 79)}…` : line];
}
