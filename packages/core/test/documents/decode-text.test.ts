import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it, vi } from 'vitest';

import { decodeText } from '../../src/documents/decode-text.js';
import { parseDocument } from '../../src/documents/read-document.js';
import { KnowledgeError } from '../../src/errors.js';

vi.setConfig({ testTimeout: 60_000 });

const western: Readonly<Record<string, readonly string[]>> = {
  English: [
    'Refunds are paid within fourteen days — “the fare” costs €19.99 if you’re late.',
    'The café near gate 7 opens at five o’clock; naïve travellers pay £3 for coffee.',
    'A résumé isn’t needed for the exposé, but bring your visa & passport copy.',
  ],
  German: [
    'Die Rückerstattung erfolgt innerhalb von vierzehn Tagen auf das Konto.',
    'Für größere Gepäckstücke fällt eine Gebühr von 35 Euro an, außer in der Premiumklasse.',
    'Frühbucher können kostenlos umbuchen, müssen aber früh genug anrufen.',
  ],
  French: [
    'Les bagages à main sont gratuits jusqu’à huit kilos par passager adulte.',
    'Le remboursement est effectué après réception de la demande écrite du client.',
    "Où puis-je récupérer ma valise égarée à l'aéroport de Genève ? Près de l'entrée.",
  ],
  Spanish: [
    '¿Cuánto tiempo tarda la devolución? Normalmente catorce días hábiles, señor.',
    'Los niños pequeños viajan gratis si van acompañados de un adulto con reserva.',
  ],
  Portuguese: [
    'As informações sobre reembolsos estão disponíveis na página da reserva do cliente.',
    'Não é possível alterar o nome do passageiro após a emissão do bilhete.',
  ],
};
const japanese = [
  '予約は到着の二日前の午後六時まで無料で取り消せます。お支払いは到着時にお願いします。',
  '手荷物は一人につき二十キロまで無料です。それを超える場合は追加料金がかかります。',
  'チェックインは15時から、チェックアウトは11時までです。駐車場は1泊1,500円です。',
  'お問い合わせはフロント（内線9番）までお電話ください。営業時間は9:00～18:00です。',
];
const unicode = ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'];
const texts = [...Object.values(western).flat(), ...japanese];
/** Whole, cut to 40 characters, and over two lines of DOS. */
const forms = (text: string): string[] => [text, text.slice(0, 40), `${text}\r\n${text}`];
const unix = (text: string): string => text.replaceAll('\r\n', '\n');

describe('decodeText', () => {
  it.each(unicode)('reads %s with and without a byte order mark', async (encoding) => {
    for (const text of texts.flatMap(forms)) {
      for (const addBOM of [true, false]) {
        expect(await decodeText(iconv.encode(text, encoding, { addBOM }))).toBe(unix(text));
      }
    }
  });

  it.each(Object.keys(western))('reads %s in Windows-1252 and in Latin-1', async (language) => {
    for (const text of (western[language] ?? []).flatMap(forms)) {
      expect(await decodeText(iconv.encode(text, 'windows-1252'))).toBe(unix(text));
      const latin = text.replaceAll(/[—“”’€]/g, '-');
      expect(await decodeText(iconv.encode(latin, 'latin1'))).toBe(unix(latin));
    }
  });

  it.each(['shift_jis', 'euc-jp'])('reads Japanese in %s', async (encoding) => {
    for (const text of japanese.flatMap(forms)) {
      expect(await decodeText(iconv.encode(text, encoding))).toBe(unix(text));
    }
  });

  it('reads UTF-8 whose end was cut inside a character', async () => {
    const bytes = Buffer.from('Größe und Gewicht: für jedes Gepäckstück gilt das Maß ü');
    expect(await decodeText(bytes.subarray(0, -1))).toMatch(
      /^Größe und Gewicht: für jedes Gepäckstück/,
    );
  });

  it('turns CR, CRLF, form feeds and Unicode line ends into line ends', async () => {
    expect(await decodeText(Buffer.from('a\rb\r\nc\u2028d\u2029e\ff\vg\u0085h'))).toBe(
      'a\nb\nc\nd\ne\nf\ng\nh',
    );
  });

  it('takes control characters out of any text', async () => {
    const lines = fc
      .string({ unit: 'binary' })
      .map((text) => `${'A readable line of text. '.repeat(200)}${text}`);
    await fc.assert(
      fc.asyncProperty(lines, async (text) => {
        expect(await decodeText(Buffer.from(text))).not.toMatch(/(?![\t\n])[\p{Cc}\ufeff]/u);
      }),
    );
  });

  it('never fails with anything but a reason, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        const outcome = await decodeText(bytes).then(
          () => 'text',
          (error: unknown) => (error instanceof KnowledgeError ? error.reason : error),
        );
        expect(['text', 'binary']).toContain(outcome);
      }),
    );
  });

  it('reads an empty file as no text', async () => {
    expect(await decodeText(new Uint8Array())).toBe('');
  });
});

/** The same random bytes each time. */
const noise = (length: number, seed: number): Uint8Array => {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
};

describe('binary files', () => {
  const png = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 2,
    0,
  ];
  const zip = [0x50, 0x4b, 3, 4, 0x14, 0, 0, 0, 8, 0, 0x21, 0x5a, 0x77, 0x58];

  it.each([
    ['a PNG image', Uint8Array.from([...png, ...noise(500, 1)])],
    ['only the head of a PNG image', Uint8Array.from(png)],
    ['a ZIP archive', Uint8Array.from([...zip, ...noise(500, 2)])],
    ['random bytes', noise(4000, 3)],
    ['random bytes behind a UTF-16 mark', Uint8Array.from([0xff, 0xfe, ...noise(4000, 4)])],
    ['zeros', new Uint8Array(1000)],
  ])('refuses %s with the name of the file', async (_, bytes) => {
    for (const document of ['notes.txt', 'notes.md']) {
      const failure = { code: 'document-unreadable', reason: 'binary', document };
      await expect(parseDocument(document, bytes)).rejects.toMatchObject(failure);
    }
  });
});
