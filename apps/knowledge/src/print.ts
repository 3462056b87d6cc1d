import { stdout } from 'node:process';

export function say(line: string): void {
  stdout.write(`${line}\n`);
}

export function since(began: number): string {
  return `${(performance.now() - began).toFixed(0)} ms`;
}

/** The beginning of a text, on one line. */
export function clip(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

/** Text broken between words, each line behind `indent`. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    let open = '';
    for (const word of line.split(' ')) {
      if (open !== '' && open.length + word.length >= width) {
        lines.push(open);
        open = '';
      }
      open += open === '' ? word : ` ${word}`;
    }
    lines.push(open);
  }
  return lines.map((line) => indent + line).join('\n');
}
