import Pdf from 'pdfkit';

export const pdfs: ReadonlyArray<{ source: string; target: string }> = [
  { source: 'pdf/luggage-charges.md', target: 'luggage/luggage-charges.pdf' },
  { source: 'pdf/fare-conditions.md', target: 'fares/fare-conditions.pdf' },
];

type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'bullet'; text: string }
  | { kind: 'paragraph'; text: string };

const margin = 64;
const bodySize = 11;
const bulletIndent = 14;
const headingSizes: readonly number[] = [22, 15, 12];
// A fixed date: the same source must always give the same bytes.
const stamp = new Date('2025-06-01T09:00:00Z');

function parseBlock(line: string): Block {
  const heading = /^(#{1,3}) (.+)$/.exec(line);
  if (heading) {
    const [, marks = '', text = ''] = heading;
    return { kind: 'heading', level: marks.length, text };
  }
  if (line.startsWith('- ')) return { kind: 'bullet', text: line.slice(2) };
  return { kind: 'paragraph', text: line };
}

function parseBlocks(markdown: string): Block[] {
  return markdown
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(parseBlock);
}

function titleOf(blocks: readonly Block[]): string {
  return blocks.find((block) => block.kind === 'heading')?.text ?? 'Untitled';
}

function createDocument(title: string): PDFKit.PDFDocument {
  return new Pdf({
    size: 'A4',
    margin,
    bufferPages: true,
    // Deflate differs between versions of Node; the text compresses well enough without.
    compress: false,
    lang: 'en-GB',
    info: { Title: title, Author: 'Skerry Air', CreationDate: stamp, ModDate: stamp },
  });
}

function drawHeading(doc: PDFKit.PDFDocument, level: number, text: string): void {
  const size = headingSizes[level - 1] ?? bodySize;
  const roomLeft = doc.page.height - margin - doc.y;
  // Keep a heading together with the first lines that follow it.
  if (roomLeft < size + bodySize * 5) doc.addPage();
  else if (level > 1) doc.moveDown(0.6);
  doc.font('Helvetica-Bold').fontSize(size).text(text);
  doc.moveDown(0.3);
}

function drawBullet(doc: PDFKit.PDFDocument, text: string): void {
  doc.font('Helvetica').fontSize(bodySize);
  doc.text(`• ${text}`, { indent: bulletIndent, indentAllLines: true, lineGap: 2 });
  doc.moveDown(0.2);
}

function drawParagraph(doc: PDFKit.PDFDocument, text: string): void {
  doc.font('Helvetica').fontSize(bodySize).text(text, { lineGap: 2 });
  doc.moveDown(0.5);
}

function drawBlock(doc: PDFKit.PDFDocument, block: Block): void {
  if (block.kind === 'heading') drawHeading(doc, block.level, block.text);
  else if (block.kind === 'bullet') drawBullet(doc, block.text);
  else drawParagraph(doc, block.text);
}

function drawFooters(doc: PDFKit.PDFDocument): void {
  const { start, count } = doc.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    doc.switchToPage(start + index);
    // Text below the bottom margin would open a new page.
    doc.page.margins.bottom = 0;
    doc.font('Helvetica').fontSize(9);
    doc.text(`Page ${index + 1} of ${count}`, margin, doc.page.height - margin / 2 - 9, {
      align: 'center',
      lineBreak: false,
      width: doc.page.width - margin * 2,
    });
  }
}

function collect(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    doc.on('error', reject);
  });
}

export async function renderPdf(markdown: string): Promise<Uint8Array> {
  const blocks = parseBlocks(markdown);
  const doc = createDocument(titleOf(blocks));
  const bytes = collect(doc);
  for (const block of blocks) drawBlock(doc, block);
  drawFooters(doc);
  doc.end();
  return await bytes;
}
