/** A line of text, by its left end and baseline in points from the page's lower left corner. */
export interface PdfLine {
  readonly x?: number;
  readonly y: number;
  readonly text: string;
}

/** A PDF of pages of lines in 12-point Helvetica; with `locked` it asks for a password. */
export function buildPdf(
  pages: readonly (readonly PdfLine[])[],
  { locked = false }: { readonly locked?: boolean } = {},
): Uint8Array {
  const firstPage = 4;
  const kids = pages.map((_, at) => `${firstPage + 2 * at} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, at) => pageObjects(lines, firstPage + 2 * at + 1)),
  ];
  return assemble(objects, locked);
}

function pageObjects(lines: readonly PdfLine[], contents: number): string[] {
  const drawn = lines.map(
    ({ x = 72, y, text }) => `BT /F1 12 Tf ${x} ${y} Td (${escaped(text)}) Tj ET`,
  );
  const stream = drawn.join('\n');
  const resources = '<< /Font << /F1 3 0 R >> >>';
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${contents} 0 R >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ];
}

function escaped(text: string): string {
  return text.replaceAll(/[\\()]/g, (sign) => `\\${sign}`);
}

function assemble(objects: readonly string[], locked: boolean): Uint8Array {
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const key = '00'.repeat(32);
  const lock = locked
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /P -1 /O <${key}> /U <${key}> >> /ID [<00> <00>]`
    : '';
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${lock} >>`;
  const text = `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
