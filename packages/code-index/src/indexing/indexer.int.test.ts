import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { rankByWords } from '../search/rank-places.js';
import { IndexStore } from '../store/index-store.js';
import { WriterLock } from '../store/writer-lock.js';
import { Indexer } from './indexer.js';
import type { SourceTree } from './source-tree.js';

let directory: string;
let store: IndexStore;
let files: Map<string, string>;
/** Lets a walk that is held go on by one file; `undefined` where walks aren't held. */
let hold: { readonly step: Promise<void>; readonly go: () => void } | undefined;

const holdWalks = (): void => {
  let go!: () => void;
  hold = { step: new Promise<void>((resolve) => (go = resolve)), go: () => go() };
};

const found = (path: string) => {
  const content = files.get(path);
  return content === undefined ? undefined : { content: Buffer.from(content), size: content.length, mtime: 1 };
};

const tree: SourceTree = {
  async *walk() {
    for (const path of [...files.keys()]) {
      await hold?.step;
      const { size, mtime } = found(path) ?? { size: 0, mtime: 0 };
      yield { path, size, mtime };
    }
  },
  read: (use) => use({ file: found }),
};

const pathsOf = (query: string): readonly string[] => rankByWords(store, query, 10).map(({ path }) => path);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'codelab-indexer-'));
  store = new IndexStore(join(directory, 'index.db'));
  files = new Map([['a.ts', 'const otter = 1;\n']]);
  hold = undefined;
});

afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

test(
  verifies('L3:index-behind', 'a search waits for what is known to have changed, and not for a look at all files that is merely due again'),
  async () => {
    const pace = { quickMs: 0, restMs: () => 0 };
    const indexer = new Indexer({ store, tree, pace, lock: new WriterLock(join(directory, 'writer.lock')) });
    const { signal } = new AbortController();
    await indexer.catchUp(signal); // the first look, which is waited for
    expect(pathsOf('otter')).toEqual(['a.ts']);
    files.set('b.ts', 'const beaver = 1;\n');
    holdWalks();
    await indexer.catchUp(signal); // the look is under way, and held
    expect(pathsOf('beaver')).toEqual([]);
    files.set('c.ts', 'const walrus = 1;\n');
    indexer.touch(['c.ts']);
    const { go } = hold!;
    const told = indexer.catchUp(signal);
    holdWalks(); // at the next file
    go();
    await told;
    expect([pathsOf('walrus'), pathsOf('beaver')]).toEqual([['c.ts'], []]);
    hold!.go();
    await indexer.settled();
    expect([pathsOf('walrus'), pathsOf('beaver'), pathsOf('otter')]).toEqual([['c.ts'], ['b.ts'], ['a.ts']]);
  },
);
