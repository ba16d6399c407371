import { symlinkSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { SOURCES_EXEC_ARGV, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;

beforeEach(async () => {
  temporary = await temporaryWorkspace({ index: { execArgv: SOURCES_EXEC_ARGV } });
});

afterEach(async () => {
  await temporary.workspace.index!.close();
  temporary.remove();
});

interface Answer {
  readonly hits: readonly { readonly path: string; readonly start_line: number; readonly end_line: number; readonly text: string }[];
  readonly note?: string;
}

/** Writes a file as an editor would, and has the index look at all of them. */
const write = (path: string, content: string): void => {
  temporary.write(path, content);
  temporary.workspace.index!.touch();
};

/** On a machine with much to do the index may still be at it when a search answers: then it says so, and is asked again. */
const search = async (query: string): Promise<Answer> => {
  for (;;) {
    const answer = (await temporary.run('index.search', { query, limit: 10 }, { additions: true })) as unknown as Answer;
    if (answer.note === undefined) return answer;
  }
};
const paths = async (query: string): Promise<readonly string[]> => (await search(query)).hits.map(({ path }) => path);

const SHOP = `import { Money } from './money.js';

/** Adds what somebody wants to buy to their basket. */
export function addToBasket(basket: Basket, item: Item): Basket {
  return { ...basket, items: [...basket.items, item] };
}

/** Sends the receipt of an order by mail. */
export async function mailReceipt(order: Order): Promise<void> {
  await post(order.customer.address, render(order));
}
`;

test(
  verifies(
    'L3:index-search',
    'a search of the code index answers with the places that a question is about, best first, small definitions whole',
  ),
  async () => {
    write('src/shop.ts', SHOP);
    write('src/money.ts', 'export class Money {\n  constructor(readonly cents: number) {}\n}\n');
    const { hits } = await search('send the customer a receipt');
    expect(hits[0]).toMatchObject({ path: 'src/shop.ts', start_line: 8, end_line: 11 });
    expect(hits[0]!.text).toContain('mailReceipt(order: Order)');
    expect((await search('addToBasket')).hits[0]).toMatchObject({ path: 'src/shop.ts', start_line: 3 });
    expect(await paths('money in cents')).toContain('src/money.ts');
  },
);

test(
  verifies(
    'L3:index-fresh',
    'what tools and commands wrote, moved or deleted is in the code index before the next search, and what it finds is as it is now',
  ),
  async () => {
    write('a.py', 'def compress_archive(path):\n    return zip(path)\n');
    expect(await paths('compress archive')).toEqual(['a.py']);
    await temporary.run(
      'write_file',
      { path: 'b.py', content: 'def extract_archive(path):\n    return unzip(path)\n' },
      { approved: true },
    );
    expect((await search('extract archive')).hits[0]).toMatchObject({ path: 'b.py' });
    await temporary.run('move_file', { from: 'a.py', to: 'c/d.py' }, { approved: true });
    expect(await paths('compress archive')).toEqual(expect.arrayContaining(['c/d.py']));
    expect(await paths('compress archive')).not.toContain('a.py');
    await temporary.run('delete_file', { path: 'b.py' }, { approved: true });
    expect(await paths('extract')).not.toContain('b.py');
    await temporary.run('run_command', { command: 'echo "def polish_shoes(): pass" > e.py' }, { approved: true });
    expect(await paths('polish shoes')).toEqual(['e.py']);
    temporary.write('e.py', '# moved\n\n\ndef polish_shoes(): pass\n'); // nobody tells
    expect((await search('polish shoes')).hits[0]).toMatchObject({ path: 'e.py', start_line: 4 });
  },
);

test(
  verifies(
    'W1:index-hidden',
    'the code index holds nothing that a search by words would not read: no ignored file, no secret, nothing behind a link',
  ),
  async () => {
    write('.gitignore', 'build/\n');
    write('build/out.js', 'const giraffe = 1;\n');
    write('.env', 'GIRAFFE=1\n');
    write('server.pem', 'giraffe\n');
    symlinkSync(temporary.outside, join(temporary.root, 'away'));
    symlinkSync(temporary.root, join(temporary.root, 'loop'));
    writeFileSync(join(temporary.outside, 'far.ts'), 'export const giraffe = 2;\n');
    write('zoo.ts', 'export const giraffe = 3;\n');
    expect(await paths('giraffe')).toEqual(['zoo.ts']);
    expect(readdirSync(temporary.root)).not.toContain('index.db');
  },
);

test(verifies('W1:index-syntax', 'a question to the code index is words, whatever syntax of the database stands in it'), async () => {
  write('src/shop.ts', SHOP);
  for (const query of [
    '"',
    '""" OR "',
    'basket* NEAR(',
    'name : basket',
    '-basket ^ {a b} : c',
    "'; DROP TABLE files; --",
    '(((((',
    '*',
    '\u0000basket',
  ])
    expect(await temporary.run('index.search', { query })).toMatchObject({ hits: expect.any(Array) as unknown });
  expect(await paths('basket NEAR "items" * OR NOT')).toEqual(['src/shop.ts']);
});

test(
  verifies(
    'L3:index-map',
    'a map of the code is the same for the same files, takes those first that others refer to, and keeps to its room',
  ),
  async () => {
    write('src/shop.ts', SHOP);
    write('src/money.ts', 'export const PORT = 1;\nexport function add(a: number, b = 2) {\n  return a + b;\n}\n');
    write('docs/a.md', '# Title\n\ntext\n');
    await temporary.workspace.index!.update(60_000);
    const { text } = (await temporary.run('index.map', {})) as { text: string };
    expect(text.split('\n')).toEqual([
      'docs/a.md',
      'src/money.ts: PORT, add(a, b)',
      'src/shop.ts: addToBasket(basket, item), mailReceipt(order)',
    ]);
    expect(await temporary.run('index.map', { path: 'src', max_tokens: 9 })).toEqual({
      text: expect.stringMatching(/^src\/money\.ts: PORT, add\(a, b\)\n\(1 other file/) as unknown,
    });
    expect(await temporary.run('index.map', { path: 'src' })).toEqual({ text: text.split('\n').slice(1).join('\n') });
    expect(await temporary.run('index.map', { path: 'nowhere' })).toBe('FILE_NOT_FOUND');
    expect(await temporary.run('index.map', { path: '../x' })).toBe('PATH_OUTSIDE_WORKSPACE');
  },
);
