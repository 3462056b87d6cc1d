import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';

type SyntaxExtension = ReturnType<typeof gfm>;

/** A bare address is text in any case; looking for one at every letter doubles the time of parsing. */
const bareAddresses = new Set<string | undefined>([
  'emailAutolink',
  'protocolAutolink',
  'wwwAutolink',
]);

const syntax: SyntaxExtension[] = [withoutBareAddresses(gfm()), frontmatter(['yaml', 'toml'])];
const tree = [
  gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
  frontmatterFromMarkdown(['yaml', 'toml']),
];

const marker = String.raw`[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])`;
const tooManyMarkers = new RegExp(`^((?:${marker}){100})(?:${marker})+`, 'gm');

/** Nesting deeper than any person writes made shallow: the parser would take minutes over it. */
export function flattened(source: string): string {
  return source
    .replace(tooManyMarkers, '$1')
    .replace(/^[ \t]{200,}/gm, ' '.repeat(200))
    .replace(/([*_~`])\1{100,}/g, (run) => run.slice(0, 100));
}

/** The syntax tree of a Markdown text: CommonMark, GFM, front matter. */
export function parseTree(source: string): Root {
  return fromMarkdown(source, { extensions: syntax, mdastExtensions: tree });
}

function withoutBareAddresses(extension: SyntaxExtension): SyntaxExtension {
  const text = Object.entries(extension.text ?? {}).flatMap(([code, given]) => {
    const kept = [given ?? []].flat().filter(({ name }) => !bareAddresses.has(name));
    return kept.length > 0 ? [[code, kept]] : [];
  });
  return { ...extension, text: Object.fromEntries(text) };
}
