import type { Delete, List, Nodes, Table, TableRow } from 'mdast';

import { oneLine } from './clean.js';
import { escapeHtml, htmlText } from './html-text.js';

/** What a person would say of a node. Struck-out text is no longer said by the document, so it is left out. */
export function spoken(node: Nodes): string {
  return oneLine(collect(node));
}

/** The number in front of an item of an ordered list. */
export function marker({ ordered, start }: List, at: number): string {
  return ordered ? `${(start ?? 1) + at}. ` : '';
}

/** Rows that can be said alone, `Fare: Saver; Change fee: 25 GBP.`; the columns where there is no row. */
export function rowTexts(table: Table): string[] {
  const [head, ...rows] = table.children;
  const columns = head ? cells(head) : [];
  if (rows.length === 0) return [columns.filter((cell) => cell !== '').join('; ')];
  return rows.map((row) => rowText(columns, cells(row)));
}

function collect(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'code':
      return node.value;
    case 'html':
      return htmlText(node.value);
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'break':
      return '\n';
    case 'delete':
    case 'footnoteReference':
    case 'definition':
      return '';
    case 'table':
      return rowTexts(node).join(' ');
    case 'list':
      return join(node.children.map((item, at) => numbered(marker(node, at), collect(item))));
    case 'listItem':
    case 'blockquote':
    case 'footnoteDefinition':
      return join(node.children.map(collect));
    default:
      return 'children' in node ? phrase(node.children) : '';
  }
}

/** HTML inside a line comes in pieces, a tag a node, and only means something when put together. */
function phrase(nodes: readonly Nodes[]): string {
  const texts = nodes.map((node, at) =>
    node.type === 'delete' && isRange(node, nodes[at - 1])
      ? `~${phrase(node.children)}~`
      : collect(node),
  );
  if (!nodes.some((node) => node.type === 'html')) return texts.join('');
  const html = nodes.map((node, at) =>
    node.type === 'html' ? node.value : escapeHtml(texts[at] ?? ''),
  );
  return htmlText(html.join(''));
}

/** In `9:00~17:00, 10:00~15:00` the tildes mean "to" and strike nothing out. */
function isRange(node: Delete, before: Nodes | undefined): boolean {
  const start = node.position?.start.offset ?? 0;
  const single = node.children[0]?.position?.start.offset === start + 1;
  return single && before?.type === 'text' && /[\p{L}\p{N}]$/u.test(before.value);
}

function join(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

function numbered(before: string, text: string): string {
  return text === '' ? '' : before + text;
}

function cells(row: TableRow): string[] {
  return row.children.map(spoken);
}

function rowText(columns: readonly string[], values: readonly string[]): string {
  const said = values.map((value, at) =>
    columns[at] && value ? `${columns[at]}: ${value}` : value,
  );
  const text = said.filter((part) => part !== '').join('; ');
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}
