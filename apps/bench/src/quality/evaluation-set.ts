import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A passage of a set, as a retriever gets it. */
export interface EvaluationPassage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly source: string;
}

/** A question of a set and the passages that answer it; none where nothing does. */
export interface EvaluationQuery {
  readonly text: string;
  readonly kind: string;
  readonly relevant: ReadonlySet<string>;
  /** What was said before, for questions in the middle of a dialogue. */
  readonly history: readonly string[] | undefined;
}

export interface EvaluationSet {
  readonly name: string;
  readonly language: string;
  readonly passages: readonly EvaluationPassage[];
  readonly queries: readonly EvaluationQuery[];
}

/** Names of the sets that have questions. */
export function listSets(folder: string): string[] {
  const names = readdirSync(join(folder, 'sets')).toSorted();
  return names.filter((name) => existsSync(join(folder, 'sets', name, 'queries.jsonl')));
}

export function readSet(folder: string, name: string): EvaluationSet {
  const file = (part: string): string => readFileSync(join(folder, 'sets', name, part), 'utf8');
  const language = text(JSON.parse(file('set.json')), 'lang');
  return {
    name,
    language,
    passages: rows(file('corpus.jsonl')).map((row) => ({
      id: text(row, 'id'),
      title: text(row, 'title'),
      text: text(row, 'text'),
      source: text(row, 'source'),
    })),
    queries: rows(file('queries.jsonl')).map((row) => ({
      text: text(row, 'text'),
      kind: text(row, 'kind'),
      relevant: new Set(texts(row, 'relevant')),
      history: texts(row, 'history'),
    })),
  };
}

function rows(lines: string): unknown[] {
  return lines.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
}

function field(row: unknown, name: string): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined;
}

function text(row: unknown, name: string): string {
  const value = field(row, name);
  if (typeof value !== 'string')
    throw new TypeError(`'${name}' is not a text in the evaluation data`);
  return value;
}

function texts(row: unknown, name: string): string[] | undefined {
  const value = field(row, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
