import * as v from 'valibot';

import { KnowledgeError } from '../errors.js';
import type { Mode } from '../mode.js';
import { canonicalJson, sha256 } from './digest.js';
import { corrupt } from './index-error.js';

/** The layout of a generation's files. 0 until the format is settled. */
export const indexFormat = 0;
export const manifestFile = 'manifest.json';

const size = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const fileName = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9.-]{0,63}$/));

const body = v.strictObject({
  format: v.literal(indexFormat),
  generation: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  base: v.strictObject({ name: v.string(), tenant: v.nullable(v.string()) }),
  settings: v.strictObject({
    mode: v.picklist(['meaning', 'keyword', 'hybrid']),
    chunkSize: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2048)),
    chunkOverlap: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2048)),
    language: v.string(),
  }),
  tokenizer: v.strictObject({ id: v.string(), version: v.number(), language: v.string() }),
  embedder: v.nullable(
    v.strictObject({ id: v.string(), revision: v.string(), dimensions: size, maxTokens: size }),
  ),
  libraries: v.record(v.string(), v.string()),
  artefacts: v.array(v.strictObject({ file: fileName, bytes: size, sha256: digest })),
  counts: v.strictObject({
    documents: size,
    passages: size,
    terms: size,
    postings: size,
    tokens: size,
  }),
});
const sealed = v.strictObject({ ...body.entries, digest });

/** A file by what it holds. */
export interface Fingerprint {
  readonly bytes: number;
  readonly sha256: string;
}

/** What vectors are known by: those of another embedder do not fit. */
export interface EmbedderIdentity {
  readonly id: string;
  readonly revision: string;
  readonly dimensions: number;
  readonly maxTokens: number;
}

/** What `manifest.json` says, without its seal: which generation is current, of what, and what must be true of its files. */
export interface ManifestBody {
  readonly format: typeof indexFormat;
  /** Folder of the generation: the first half of the digest of its artefacts. */
  readonly generation: string;
  readonly base: { readonly name: string; readonly tenant: string | null };
  /** What the owner chose that changes passages or terms. */
  readonly settings: {
    readonly mode: Mode;
    readonly chunkSize: number;
    readonly chunkOverlap: number;
    readonly language: string;
  };
  /** The rules terms were made by; `language` is the one that was detected or given. */
  readonly tokenizer: { readonly id: string; readonly version: number; readonly language: string };
  /** What the vectors were made by; `null` without vectors. */
  readonly embedder: EmbedderIdentity | null;
  /** Versions of what the bytes depend on. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly artefacts: readonly (Fingerprint & { readonly file: string })[];
  readonly counts: {
    readonly documents: number;
    readonly passages: number;
    readonly terms: number;
    readonly postings: number;
    readonly tokens: number;
  };
}

/** {@link ManifestBody} with the digest of its canonical JSON. */
export interface Manifest extends ManifestBody {
  readonly digest: string;
}

export function sealManifest(unsealed: ManifestBody): Manifest {
  return { ...unsealed, digest: sha256(canonicalJson(unsealed)) };
}

/** The file's text; equal manifests give equal text. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`;
}

/** Reads a manifest and checks its seal. Throws `index-newer` or `index-corrupt`. */
export function parseManifest(text: string): Manifest {
  const value = parseJson(text);
  const format =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'format') : undefined;
  if (typeof format === 'number' && Number.isInteger(format) && format > indexFormat) {
    const message = `the index has format ${format}, this version reads ${indexFormat}; update Cuecard, or bake again.`;
    throw new KnowledgeError({ code: 'index-newer', message });
  }
  const parsed = v.safeParse(sealed, value, { abortEarly: true });
  if (!parsed.success) throw corrupt(`${manifestFile} is not a manifest`);
  const { digest: seal, ...rest } = parsed.output;
  if (sha256(canonicalJson(rest)) !== seal)
    throw corrupt(`${manifestFile} was changed after it was written`);
  return parsed.output;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw corrupt(`${manifestFile} is not JSON`, cause);
  }
}
