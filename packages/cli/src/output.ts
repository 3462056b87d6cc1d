/** What a command hands back to be printed. */
export interface Report {
  /** The one document that `--json` prints. */
  readonly json: object;
  /** The same for a person. */
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** The JSON of one base stands alone, that of several in a list. */
export function perBase(entries: readonly object[]): object {
  const [first] = entries;
  return entries.length === 1 && first ? first : { bases: entries };
}

/**
 * Keeps standard output for the result: whatever else is written there, by a config or a library,
 * goes to standard error. Returns the way to write a result, which resolves once it is out.
 */
export function claimStandardOutput(): (text: string) => Promise<void> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  Reflect.set(stdout, 'write', stderr.write.bind(stderr));
  stdout.on('error', () => undefined);
  return (text) =>
    new Promise((resolve, reject) => {
      write(text, 'utf8', (failed) => (failed ? reject(failed) : resolve()));
    });
}

/** Without control characters: a document must not be able to drive the terminal it is shown in. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '');
}

/** Rows with their columns aligned, figures to the right. */
export function columns(rows: readonly (readonly string[])[], indent = ''): string[] {
  const width = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  const widths = (rows[0] ?? []).map((_, at) => width(at));
  const pad = (cell: string, at: number): string =>
    /^[\d.]+( [kM]?B)?$/.test(cell) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
  return rows.map((row) => `${indent}${row.map(pad).join('  ')}`.trimEnd());
}

export function count(amount: number, one: string): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : `${one}s`}`;
}

/** Decimal units: a kB is 1,000 bytes. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
