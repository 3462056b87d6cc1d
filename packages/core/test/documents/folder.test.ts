import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { folder } from '../../src/documents/folder.js';
import type { Document, Source } from '../../src/documents/source.js';
import { resolveOptions, type Documents } from '../../src/options.js';
import { listDocuments, readDocuments, type ReadDocuments } from '../../src/read-documents.js';
import { addFiles, tempFolder } from './temp-folder.js';

async function list(source: Source): Promise<{ names: string[]; ignored: string[] }> {
  const ignored: string[] = [];
  const names: string[] = [];
  for await (const { name } of source.entries({ ignored: (other) => void ignored.push(other) })) {
    names.push(name);
  }
  return { names, ignored };
}

async function read(documents: Documents | Documents[]): Promise<ReadDocuments> {
  return readDocuments(resolveOptions({ name: 'base', documents }), {});
}

describe('folder', () => {
  it('lists a tree in a fixed order, with / in the names, and reports files of other kinds', async () => {
    const root = await tempFolder({
      'b.md': 'b',
      'a/z.txt': 'z',
      'a/deep/er/x.pdf': '%PDF-',
      'logo.png': 'x',
      'a/data.csv': 'x',
      README: 'x',
    });
    const first = await list(folder(root));
    expect(first.names).toEqual(['a/deep/er/x.pdf', 'a/z.txt', 'b.md']);
    expect(first.ignored).toEqual(['README', 'a/data.csv', 'logo.png']);
    expect(await list(folder(root))).toEqual(first);
  });

  it('skips names that begin with a dot, but not a root below such a name', async () => {
    const root = await tempFolder({
      '.cache/docs/a.md': 'a',
      '.cache/docs/.b.md': 'b',
      '.cache/docs/.git/c.md': 'c',
    });
    const { names, ignored } = await list(folder(join(root, '.cache/docs')));
    expect(names).toEqual(['a.md']);
    expect(ignored).toEqual([]);
  });

  it('follows links to files and folders once, and loops end', async () => {
    const root = await tempFolder({ 'docs/a.md': 'a', 'elsewhere/b.md': 'b' });
    const docs = join(root, 'docs');
    await symlink(join(root, 'elsewhere'), join(docs, 'linked'));
    await symlink(join(root, 'elsewhere'), join(docs, 'linked-again'));
    await symlink(docs, join(docs, 'loop'));
    await symlink(join(root, 'elsewhere/b.md'), join(docs, 'file.md'));
    await symlink(join(docs, 'self'), join(docs, 'self'));
    const { names, ignored } = await list(folder(docs));
    expect(names).toEqual(['a.md', 'file.md', 'linked/b.md']);
    expect(ignored).toEqual(['self']);
  });

  it('says so when a link to a document leads nowhere', async () => {
    const root = await tempFolder({ 'docs/a.md': 'a' });
    await symlink(join(root, 'gone.md'), join(root, 'docs', 'refunds.md'));
    await expect(list(folder(join(root, 'docs')))).rejects.toMatchObject({
      code: 'document-unreadable',
      reason: 'not-accessible',
      document: 'refunds.md',
    });
  });

  it.each([
    'with space.md',
    '#1 & 100%.md',
    '%20.md',
    'été.md',
    '予約の案内.md',
    'A.MD',
    'B.TXT',
    "it's.md",
    'a?b=c.md',
  ])('reads a file named %s from a path and from a URL', async (file) => {
    const root = await tempFolder({ [`ö #%/${file}`]: 'Text.' });
    for (const location of [root, pathToFileURL(root), join(root, `ö #%/${file}`)]) {
      const { files, passages } = await read(location);
      expect(files.map(({ name }) => name.split('/').at(-1))).toEqual([file]);
      expect(passages.map(({ text }) => text)).toEqual(['Text.']);
    }
  });

  it('names a file the same whether its umlaut is one character or two', async () => {
    const root = await tempFolder({ ['Gepa\u0308ck.md']: 'two', 'Gepz.md': 'z', 'Gep.md': 'p' });
    expect((await list(folder(root))).names).toEqual(['Gep.md', 'Gepz.md', 'Gep\u00e4ck.md']);
  });

  it('keeps two files apart whose names only differ in composition', async () => {
    const root = await tempFolder({ ['a\u0308.md']: 'two', ['\u00e4.md']: 'one' });
    const { files } = await read(root);
    expect(files.map(({ name }) => name)).toEqual(['\u00e4.md', '\u00e4.md (2)']);
  });

  it('gives size and digest of the bytes', async () => {
    const root = await tempFolder({ 'a.md': 'abc' });
    expect(await listDocuments([root])).toEqual([
      {
        name: 'a.md',
        bytes: 3,
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      },
    ]);
  });

  it('stops listing when it is aborted', async () => {
    const root = await tempFolder({ 'a.md': 'a' });
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(listDocuments([root], signal)).rejects.toThrow('stopped');
  });
});

describe('documents that cannot be read', () => {
  it('calls a folder that does not exist missing', async () => {
    const root = await tempFolder();
    await expect(read(join(root, 'none'))).rejects.toMatchObject({ code: 'documents-missing' });
  });

  it('calls a folder without readable files empty', async () => {
    const root = await tempFolder({ 'a.png': 'x', '.hidden.md': 'text' });
    const failure = {
      code: 'documents-empty',
      message: expect.stringContaining('1 files of other kinds'),
    };
    await expect(read(root)).rejects.toMatchObject(failure);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t\u3000\n'],
    ['only a byte order mark', '\ufeff'],
    ['only markup', '---\na: 1\n---\n<!-- x -->\n\n[a]: https://example.com\n'],
  ])('warns of a document that holds %s and leaves it out', async (_, content) => {
    const root = await tempFolder({ 'empty.md': content, 'full.md': 'Text.' });
    const { warnings, passages } = await read(root);
    expect(warnings).toEqual(["document 'empty.md' holds no text and was left out"]);
    expect(passages.map(({ text }) => text)).toEqual(['Text.']);
  });

  it('fails when all documents are empty', async () => {
    const root = await tempFolder({ 'a.md': '', 'b.txt': '\n' });
    const failure = {
      code: 'documents-empty',
      message: expect.stringContaining('all 2 documents are empty'),
    };
    await expect(read(root)).rejects.toMatchObject(failure);
  });

  it('names a file that is damaged, by its place in the folder and not by its path', async () => {
    const root = await tempFolder({ 'sub/a.pdf': 'no PDF', 'b.md': 'b' });
    const failure = { code: 'document-unreadable', document: 'sub/a.pdf', reason: 'broken' };
    const error = await read(root).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(failure);
    expect(String(error)).not.toContain(root);
  });

  it('names a single file of a kind that is not read', async () => {
    const root = await tempFolder({ 'a.docx': 'x' });
    const failure = { code: 'document-unreadable', document: 'a.docx', reason: 'unsupported' };
    await expect(read(join(root, 'a.docx'))).rejects.toMatchObject(failure);
  });

  it.skipIf(process.getuid?.() === 0)('names a file without read permission', async () => {
    const root = await tempFolder({ 'a.md': 'a' });
    await addFiles(root, {});
    const { chmod } = await import('node:fs/promises');
    await chmod(join(root, 'a.md'), 0);
    const failure = { code: 'document-unreadable', document: 'a.md', reason: 'not-accessible' };
    await expect(read(root)).rejects.toMatchObject(failure);
  });
});

describe('several sources', () => {
  it('puts the name of its source before each document', async () => {
    const root = await tempFolder({ 'refunds/a.md': 'r', 'luggage/a.md': 'l' });
    const { files } = await read([join(root, 'refunds'), join(root, 'luggage')]);
    expect(files.map(({ name }) => name)).toEqual(['refunds/a.md', 'luggage/a.md']);
  });

  it('keeps documents apart when the sources have equal names', async () => {
    const root = await tempFolder({ 'one/docs/a.md': 'first', 'two/docs/a.md': 'second' });
    const { files, passages } = await read([join(root, 'one/docs'), join(root, 'two/docs')]);
    expect(files.map(({ name }) => name)).toEqual(['docs/a.md', 'docs/a.md (2)']);
    expect(passages.map(({ document, text }) => [document, text])).toEqual([
      [0, 'first'],
      [1, 'second'],
    ]);
  });

  it('reads a source of your own beside a folder', async () => {
    const root = await tempFolder({ 'a.md': 'from a folder' });
    const document: Document = {
      title: 'T',
      blocks: [{ kind: 'prose', heading: [], parts: [{ text: 'own' }] }],
      warnings: [],
    };
    const own: Source = {
      name: 'own',
      async *entries() {
        yield { name: 'a.md', bytes: 1, sha256: '0'.repeat(64), read: async () => document };
      },
    };
    const { files, titles, passages } = await read([root, own]);
    expect(files.map(({ name }) => name.split('/')[1])).toEqual(['a.md', 'a.md']);
    expect(titles).toEqual(['a', 'T']);
    expect(passages.map(({ text }) => text)).toEqual(['from a folder', 'own']);
  });

  it('ends with documents-empty when a folder in it is only made of folders', async () => {
    const root = await tempFolder();
    await mkdir(join(root, 'a/b/c'), { recursive: true });
    await expect(read([root, root])).rejects.toMatchObject({ code: 'documents-empty' });
  });
});
