import { Parser } from 'htmlparser2';

const silent = new Set(['script', 'style', 'template', 'noscript', 'svg']);
const breaking =
  /^(p|div|br|hr|li|ul|ol|dl|dt|dd|tr|table|h[1-6]|section|article|summary|details|blockquote|pre)$/;

/** The text a reader of this piece of HTML sees, images by their alternative text, a line a block. */
export function htmlText(html: string): string {
  let depth = 0;
  let text = '';
  const parser = new Parser({
    onopentag(name, { alt }) {
      if (silent.has(name)) depth++;
      else if (name === 'img' && depth === 0) text += alt ?? '';
      else if (breaking.test(name)) text += '\n';
    },
    ontext(data) {
      if (depth === 0) text += data;
    },
    onclosetag(name) {
      if (silent.has(name)) depth--;
      else text += /^t[dh]$/.test(name) ? ' ' : breaking.test(name) ? '\n' : '';
    },
  });
  parser.end(html);
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

/** Plain text as HTML that {@link htmlText} gives back. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
