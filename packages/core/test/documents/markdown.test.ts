import { describe, expect, it } from 'vitest';

import { parseMarkdown } from '../../src/documents/markdown.js';
import type { Block } from '../../src/documents/source.js';

const texts = (source: string): string[] =>
  parseMarkdown(source).blocks.flatMap(({ parts }) => parts.map(({ text }) => text));
const only = (source: string): Block | undefined => parseMarkdown(source).blocks[0];

describe('headings and titles', () => {
  it('puts each block below the headings above it', () => {
    const { blocks } = parseMarkdown(
      '# T\n\n# U\n\n## A\n\na\n\n### B\n\nb\n\n## C\n\nc\n\n#### D\n\nd',
    );
    expect(
      blocks.flatMap(({ heading, parts }) => parts.map(({ text }) => [heading.join('/'), text])),
    ).toEqual([
      ['U/A', 'a'],
      ['U/A/B', 'b'],
      ['U/C', 'c'],
      ['U/C/D', 'd'],
    ]);
  });

  it('takes the only heading of the first level as title, and leaves it out of the paths', () => {
    const { title, blocks } = parseMarkdown('# Refunds *and* fees\n\n## When\n\nSoon.');
    expect(title).toBe('Refunds and fees');
    expect(blocks.map(({ heading }) => heading)).toEqual([['When'], ['When']]);
  });

  it('has no title when there are several headings of the first level', () => {
    expect(parseMarkdown('# A\n\na\n\n# B\n\nb').title).toBeUndefined();
  });

  it('reads underlined headings', () => {
    const { title, blocks } = parseMarkdown('Title\n=====\n\nPart\n----\n\nText.');
    expect([title, blocks.at(-1)]).toMatchObject([
      'Title',
      { heading: ['Part'], parts: [{ text: 'Text.' }] },
    ]);
  });

  it('ends a heading inside a quotation with the quotation', () => {
    const { blocks } = parseMarkdown('## A\n\n> # Note\n>\n> quoted\n\nafter');
    expect(blocks.filter(({ parts }) => parts.length > 0).map(({ heading }) => heading)).toEqual([
      ['Note'],
      ['A'],
    ]);
  });

  it('keeps a heading with nothing below it as a block without parts', () => {
    expect(parseMarkdown('## A\n\n## B').blocks).toEqual([
      { kind: 'prose', heading: ['A'], parts: [] },
      { kind: 'prose', heading: ['B'], parts: [] },
    ]);
  });
});

describe('front matter', () => {
  it('gives the title and is not spoken', () => {
    const { title, blocks, warnings } = parseMarkdown(
      '---\ntitle: " Fares "\ntags: [a]\n---\n# Other\n\nText.',
    );
    expect([title, warnings]).toEqual(['Fares', []]);
    expect(blocks.flatMap(({ parts }) => parts)).toMatchObject([{ text: 'Text.' }]);
  });

  it('is left out when it is TOML', () => {
    expect(texts('+++\ntitle = "Fares"\n+++\n\nText.')).toEqual(['Text.']);
  });

  it.each(['title: [unclosed', 'a: b: c', '\ttitle: x', 'a: *unknown'])(
    'warns of broken YAML: %s',
    (yaml) => {
      const { title, blocks, warnings } = parseMarkdown(`---\n${yaml}\n---\n\n# T\n\nText.`);
      expect(warnings).toEqual(['the front matter is not valid YAML and was left out']);
      expect([title, blocks.flatMap(({ parts }) => parts.map(({ text }) => text))]).toEqual([
        'T',
        ['Text.'],
      ]);
    },
  );

  it.each(['- a\n- b', 'title: 5', 'title: ""', 'title:\n  a: b', '"text"', ''])(
    'without a title in it gives none: %j',
    (yaml) => {
      expect(parseMarkdown(`---\n${yaml}\n---\n\nText.`)).toMatchObject({ warnings: [] });
      expect(parseMarkdown(`---\n${yaml}\n---\n\nText.`).title).toBeUndefined();
    },
  );
});

describe('tables and lists', () => {
  it('makes each row a sentence with its columns, and keeps the row as it stands', () => {
    const rows =
      '| Fare | Fee |\n|--|--:|\n| Saver | **25** GBP |\n| Flex | None. |\n| | 5 |\n| Basic | |';
    expect(only(rows)).toEqual({
      kind: 'table',
      heading: [],
      parts: [
        { text: 'Fare: Saver; Fee: 25 GBP.', raw: '| Saver | **25** GBP |' },
        { text: 'Fare: Flex; Fee: None.', raw: '| Flex | None. |' },
        { text: 'Fee: 5.', raw: '| | 5 |' },
        { text: 'Fare: Basic.', raw: '| Basic | |' },
      ],
    });
  });

  it('says the columns of a table without rows', () => {
    expect(texts('| A | B |\n|--|--|')).toEqual(['A; B']);
    expect(texts('- x\n\n  | A | B |\n  |--|--|')).toEqual(['x A; B']);
  });

  it('keeps a list item whole with the list, the table and the code inside it', () => {
    const list =
      '- Bags\n  - small\n    - free\n  - large\n- Fees\n\n  | A | B |\n  |--|--|\n  | 1 | 2 |\n\n      code';
    expect(only(list)).toMatchObject({
      kind: 'list',
      parts: [{ text: 'Bags small free large' }, { text: 'Fees A: 1; B: 2. code' }],
    });
  });

  it('says the numbers of ordered lists, nested ones too', () => {
    expect(texts('3. a\n4. b\n   1. c\n   2. d\n')).toEqual(['3. a', '4. b 1. c 2. d']);
  });

  it('reads task lists', () => {
    expect(texts('- [x] done\n- [ ] open')).toEqual(['done', 'open']);
  });

  it('breaks a cell where its HTML does', () => {
    expect(texts('| Office |\n|--|\n| 5 High St<br>Leith<br/>Open |')).toEqual([
      'Office: 5 High St Leith Open.',
    ]);
  });
});

describe('what is said of markup', () => {
  it.each([
    [
      'links without their address',
      'See [our *map*](https://e.com "t") and [the list][r].\n\n[r]: https://e.com',
      'See our map and the list.',
    ],
    ['alternative text of images', 'A ![red door](a.png) ![][r]\n\n[r]: b.png', 'A red door'],
    ['an image that is a link', '[![Plan](a.png)](b)', 'Plan'],
    [
      'bare addresses as they stand',
      'Mail help@e.com or <me@e.com>, www.e.com/a_b_c?x=1 or https://e.com/a_b.',
      'Mail help@e.com or me@e.com, www.e.com/a_b_c?x=1 or https://e.com/a_b.',
    ],
    ['emphasis inside words', 'un**believ**able *H*2O a_b_c', 'unbelievable H2O a_b_c'],
    ['soft breaks as spaces', 'one\ntwo  \nthree\\\nfour', 'one two three four'],
    ['entities', 'R&amp;D &lt;b&gt; 5&nbsp;kg &copy; soft&shy;hyphen', 'R&D <b> 5 kg © softhyphen'],
    ['struck-out text not at all', 'Costs ~~20~~ 25 GBP, ~now~ later.', 'Costs 25 GBP, later.'],
    [
      'tildes inside words as they stand',
      'H~2~O, open 9:00~17:00, Sat 10:00~15:00',
      'H~2~O, open 9:00~17:00, Sat 10:00~15:00',
    ],
    ['code', 'Run `npm *i*` now', 'Run npm *i* now'],
    ['quotations', '> Be *kind*.', 'Be kind.'],
    ['lines of Japanese without spaces', '予約は\n到着の\n前まで', '予約は到着の前まで'],
    ['brackets that are no links', 'See [1] and [x][y].', 'See [1] and [x][y].'],
  ])('%s', (_, source, said) => {
    expect(texts(source)).toEqual([said]);
  });

  it('says footnotes where they are defined, without their signs', () => {
    expect(texts('Bags[^1] fly.\n\n[^1]: Up to *8* kg.\n\nEnd.')).toEqual([
      'Bags fly.',
      'Up to 8 kg.',
      'End.',
    ]);
  });

  it('says neither definitions nor rules', () => {
    expect(texts('[a]: https://e.com "T"\n\n---\n\n***')).toEqual([]);
  });

  it('keeps code with its lines', () => {
    expect(only('```js\n  if (a) {\n    b();\n  }\n```')).toEqual({
      kind: 'code',
      heading: [],
      parts: [{ text: '  if (a) {\n    b();\n  }', raw: '```js\n  if (a) {\n    b();\n  }\n```' }],
    });
  });

  it('keeps what stood in the document beside what is said', () => {
    expect(only('See [our map](https://e.com).')?.parts).toEqual([
      { text: 'See our map.', raw: 'See [our map](https://e.com).' },
    ]);
  });
});

describe('HTML inside Markdown', () => {
  it.each([
    [
      'blocks',
      '<div class="x">\n<p>Bring <b>two</b> towels &amp; soap.</p>\n<p>Now</p>\n</div>',
      ['Bring two towels & soap. Now'],
    ],
    ['comments', 'a <!-- secret --> b\n\n<!--\nsecret\n\nsecret -->\n\nc', ['a b', 'c']],
    ['scripts and styles', '<script>secret\n\nsecret</script>\n<style>secret</style>\n\na', ['a']],
    ['scripts inside a line', 'a <script>secret()</script> b <style>.secret{}</style>c', ['a b c']],
    ['line breaks', 'one<br>two<br/>three', ['one two three']],
    ['images', '<img src="x" alt="A red door">', ['A red door']],
    [
      'text that looks like HTML in code',
      'the `<b>` tag in <i>this</i> & that',
      ['the <b> tag in this & that'],
    ],
    ['details', '<details><summary>When?</summary>\n\n*Now.*\n\n</details>', ['When?', 'Now.']],
    ['tables', '<table><tr><th>A</th><td>1</td></tr><tr><td>2</td></tr></table>', ['A 1 2']],
  ])('%s', (_, source, said) => {
    expect(texts(source)).toEqual(said);
  });
});
