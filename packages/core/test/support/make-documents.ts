import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** File name in the documents folder to its text. */
export type DocumentTexts = ReadonlyMap<string, string>;

const topics: readonly (readonly [name: string, subject: string, unit: string])[] = [
  ['refunds', 'A refund', 'working days'],
  ['luggage', 'A suitcase', 'kilograms'],
  ['parking', 'A parking space', 'hours'],
  ['menus/breakfast', 'Breakfast', 'guests'],
  ['menus/dinner', 'Dinner', 'courses'],
  ['rooms', 'A family room', 'beds'],
  ['pets', 'A dog', 'euros'],
  ['spa', 'The sauna', 'minutes'],
  ['keys', 'A lost key', 'days'],
];

/**
 * Fifteen small documents of a hotel, of several kinds, scripts and lengths, about sixty passages in
 * all at 40 tokens. `edition` stands in some of them, so that every edition is answered differently.
 */
export function makeDocuments(edition: string): DocumentTexts {
  const documents = topics.map(([name, subject, unit], at): [string, string] => [
    `${name}.md`,
    topic(name, subject, unit, at + 2, edition),
  ]);
  return new Map([
    ...documents,
    ['codes.txt', codes(edition)],
    ['prices.md', prices(edition)],
    [
      'zimmer.txt',
      'Die Zimmer stehen ab fünfzehn Uhr bereit. Wer später anreist, meldet sich bitte vorher an der Rezeption. Haustiere sind gegen Gebühr erlaubt.\n',
    ],
    [
      '朝食.txt',
      '朝食は七時から十時まで一階の食堂で提供しています。予約は必要ありません。荷物はフロントで預かります。\n',
    ],
    ['الأمتعة.txt', 'يمكن ترك الأمتعة في مكتب الاستقبال مجانا حتى الساعة السادسة مساء.\n'],
    ['one-word.txt', 'Umbrella'],
  ]);
}

/** Writes documents into a folder, in the order given. */
export async function writeDocuments(
  folder: string,
  documents: Iterable<readonly [string, string]>,
): Promise<void> {
  for (const [name, text] of documents) {
    const path = join(folder, name);
    // The order of the writes is part of what tests vary.
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

function topic(
  name: string,
  subject: string,
  unit: string,
  amount: number,
  edition: string,
): string {
  const said = name.replace('/', ' ');
  return `# All about ${said}

${subject} is limited to ${amount * 3} ${unit} for each booking, unless the front desk has agreed to more in writing before arrival.

## Exceptions to ${said}

- ${subject} for groups of ${amount + 8} and more is settled by the events team.
- Members of the gold club ask for code GC-${amount}0${amount}; it doubles the limit of ${unit}.
- In the low season the limit does not apply at all.

## Who to ask

### In the evening

Call extension ${amount}17 between six and ten. The night porter knows what edition ${edition} of the house rules says about ${said}.

### At other times

Write to ${said.replace(' ', '.')}@hotel.example and expect an answer in ${amount} hours. Letters take longer, and nobody reads them at the weekend.
`;
}

function codes(edition: string): string {
  const lines = Array.from(
    { length: 12 },
    (_, at) =>
      `Door ${at + 1} of wing ${'ABCD'[at % 4]} opens with MV-${82 + at} and closes by itself after ${at + 3} seconds.`,
  );
  return `${lines.join('\n\n')}\n\nThe codes were changed for edition ${edition}.\n`;
}

function prices(edition: string): string {
  const rows = ['Single', 'Double', 'Suite', 'Penthouse'].map(
    (room, at) => `| ${room} | ${90 + at * 45} | ${120 + at * 60} |`,
  );
  return `---
title: Prices of edition ${edition}
---

| Room | Winter | Summer |
| --- | --- | --- |
${rows.join('\n')}

Prices are in euros, for one night, with breakfast.

\`\`\`
total = nights * price + pets * 12
\`\`\`

> Nobody pays twice: a double booking is a double BOOKING, booking, booking, and one of them is cancelled.
`;
}
