// A retriever for the evaluation script: core's own search over given passages, or over a folder.
import { cuecardRetriever } from './dist/quality/cuecard-retriever.js';

export const name = 'cuecard';

const retriever = cuecardRetriever({ mode: process.env.CUECARD_MODE ?? 'keyword' });

export const build = (passages, context) => retriever.build(passages, context);
export const buildFolder = (folder) => retriever.buildFolder(folder);
export const search = (query, limit, context) => retriever.search(query, limit, context);
