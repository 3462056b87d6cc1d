import type { Heading, Nodes, Root, RootContent, Table } from 'mdast';
import { parse as parseYaml } from 'yaml';

import { flattened, parseTree } from './markdown-tree.js';
import type { Block, BlockKind, BlockPart, Document } from './source.js';
import { marker, rowTexts, spoken } from './spoken.js';

/** A Markdown file (CommonMark, GFM tables, YAML front matter) as blocks below their headings, markup taken out. */
export function parseMarkdown(text: string): Document {
  const source = flattened(text);
  const tree = parseTree(source);
  const warnings: string[] = [];
  const loneHeading = onlyTopHeading(tree);
  const title = frontMatterTitle(tree, warnings) ?? (loneHeading && spoken(loneHeading));
  const reader = new BlockReader(source, title);
  for (const node of tree.children) reader.read(node);
  return { ...(title ? { title } : {}), blocks: reader.blocks, warnings };
}

class BlockReader {
  readonly blocks: Block[] = [];
  readonly #source: string;
  readonly #title: string | undefined;
  #path: { depth: number; text: string }[] = [];

  constructor(source: string, title: string | undefined) {
    this.#source = source;
    this.#title = title;
  }

  read(node: RootContent): void {
    switch (node.type) {
      case 'heading':
        return this.#open(node);
      case 'table':
        return this.#table(node);
      case 'list':
        return this.#add(
          'list',
          node.children.map((item, at) => this.#part(item, marker(node, at))),
        );
      case 'code':
        return this.#add('code', [
          { text: node.value.replace(/^\n+|\s+$/g, ''), raw: this.#raw(node) },
        ]);
      case 'blockquote':
      case 'footnoteDefinition':
        return this.#inside(node.children);
      case 'yaml':
      case 'definition':
      case 'thematicBreak':
        return undefined;
      default:
        return this.#add('prose', [this.#part(node)]);
    }
  }

  /** A heading inside a quotation ends with it. */
  #inside(children: readonly RootContent[]): void {
    const path = this.#path;
    for (const child of children) this.read(child);
    this.#path = path;
  }

  #open(heading: Heading): void {
    const text = spoken(heading);
    this.#path = this.#path.filter((above) => above.depth < heading.depth);
    if (text === '' || (heading.depth === 1 && text === this.#title)) return;
    this.#path.push({ depth: heading.depth, text });
    this.blocks.push({ kind: 'prose', heading: this.#headings(), parts: [] });
  }

  #table(table: Table): void {
    const [, ...rows] = table.children;
    const raw = (at: number): string => this.#raw(rows[at] ?? table);
    this.#add(
      'table',
      rowTexts(table).map((text, at) => ({ text, raw: raw(at) })),
    );
  }

  #part(node: Nodes, before = ''): BlockPart {
    const text = spoken(node);
    return { text: text === '' ? '' : before + text, raw: this.#raw(node) };
  }

  #raw(node: Nodes): string {
    return this.#source.slice(node.position?.start.offset, node.position?.end.offset);
  }

  #headings(): string[] {
    return this.#path.map((above) => above.text);
  }

  #add(kind: BlockKind, parts: readonly BlockPart[]): void {
    const filled = parts.filter((part) => part.text !== '');
    if (filled.length > 0) this.blocks.push({ kind, heading: this.#headings(), parts: filled });
  }
}

function onlyTopHeading(tree: Root): Heading | undefined {
  const tops = tree.children.filter(
    (node): node is Heading => node.type === 'heading' && node.depth === 1,
  );
  return tops.length === 1 ? tops[0] : undefined;
}

function frontMatterTitle(tree: Root, warnings: string[]): string | undefined {
  const [first] = tree.children;
  if (first?.type !== 'yaml') return undefined;
  try {
    const data: unknown = parseYaml(first.value, { logLevel: 'error' });
    const title =
      typeof data === 'object' && data !== null ? Reflect.get(data, 'title') : undefined;
    return typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined;
  } catch {
    warnings.push('the front matter is not valid YAML and was left out');
    return undefined;
  }
}
