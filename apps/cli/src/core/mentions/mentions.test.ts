import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { newChat, type ChatEffect, type ChatState } from '../chat/chat-state.js';
import { reduceChat } from '../chat/reduce-chat.js';
import { KeyReader } from '../input/key-reader.js';
import { paintLine } from '../text/paint-line.js';
import { mentionAt, writeMention } from './completion.js';
import { renderCompletion } from '../chat/render-chat.js';
test.each<[string, string | undefined]>([
  ['@', ''],
  ['see @src/a', 'src/a'],
  ['see (@src/a', 'src/a'],
  ['see @"my fi', 'my fi'],
  ['line\n@x', 'x'],
  ['me@example', undefined],
  ['see @src/a.ts and', undefined],
  ['see @"my file" ', undefined],
  ['@a\nb', undefined],
])('the mention at the end of %j', (text, path) => expect(mentionAt(text, text.length)?.path).toBe(path));

test.each<[string, string | undefined]>([
  ['src/a.ts', '@src/a.ts'],
  ['src/', '@src/'],
  ['my file.md', '@"my file.md"'],
  ['my folder/', '@"my folder/'],
  ['odd.', '@"odd."'],
  ['a"b', undefined],
  ['a\x1b[2Jb', undefined],
  ['a\nb', undefined],
])('%j is mentioned as %j', (path, mention) => expect(writeMention(path)).toBe(mention));

/** A person who types, and a machine that knows paths. */
class Typist {
  effects: ChatEffect[] = [];
  constructor(
    public state: ChatState = newChat(),
    private readonly paths: readonly string[] = ['src/a.ts', 'src/app/', 'src/my file.ts', 'README.md'],
  ) {}

  type(keys: string): this {
    const reader = new KeyReader();
    for (const key of [...reader.push(keys), ...reader.flush()]) this.take(reduceChat(this.state, { kind: 'key', key, atMs: 0 }));
    return this;
  }

  private take({ state, effects }: { state: ChatState; effects: readonly ChatEffect[] }): void {
    this.state = state;
    this.effects.push(...effects);
    for (const effect of effects) {
      if (effect.kind !== 'complete') continue;
      const candidates = this.paths.filter((path) => path.startsWith(effect.path));
      this.take(reduceChat(this.state, { kind: 'completed', path: effect.path, candidates, atMs: 0 }));
    }
  }

  get text(): string {
    return this.state.editor.text;
  }
}

test(verifies('L3:mention-tab', 'Tab puts the paths that a mention can become into the message, one after the other, and back'), () => {
  const typist = new Typist().type('see @sr');
  expect(typist.state.completion?.candidates).toEqual(['src/a.ts', 'src/app/', 'src/my file.ts']);
  expect(typist.type('\t').text).toBe('see @src/a.ts');
  expect(typist.type('\t\t').text).toBe('see @"src/my file.ts"');
  expect(typist.type('\t').text).toBe('see @src/a.ts');
  expect(typist.type('\x1b[Z').text).toBe('see @"src/my file.ts"');
  expect(typist.type(' please\r').effects.at(-1)).toMatchObject({ kind: 'send', content: 'see @"src/my file.ts" please' });
});

test('the only candidate is taken; a folder is gone on with; Escape takes the list away', () => {
  const typist = new Typist().type('@RE\t');
  expect(typist.text).toBe('@README.md');
  expect(new Typist(newChat(), ['src/app/', 'src/app/x.ts']).type('@src/app\tx\t').text).toBe('@src/app/x.ts');
  expect(new Typist().type('@s\x1b').state.completion).toBeUndefined();
  expect(new Typist().type('@nosuch\t').text).toBe('@nosuch');
});

test('answers to what was typed before, and names that can’t be mentioned, are left out', () => {
  const typist = new Typist(newChat(), []).type('@s');
  const late = reduceChat(typist.state, { kind: 'completed', path: '', candidates: ['late'], atMs: 0 });
  expect(late.state.completion?.candidates).toEqual([]);
  const odd = reduceChat(typist.state, { kind: 'completed', path: 's', candidates: ['s\x1b[2J', 's"', 'sure'], atMs: 0 });
  expect(odd.state.completion?.candidates).toEqual(['sure']);
});

test('a message that could not be sent comes back, unless another one has been begun', () => {
  const event = { kind: 'unsent', content: 'see @x', why: 'no such file', atMs: 0 } as const;
  const back = reduceChat(newChat(), event).state;
  expect([back.editor.text, back.view.items.at(-1)]).toEqual(['see @x', expect.objectContaining({ tone: 'error', text: 'no such file' })]);
  expect(reduceChat(new Typist().type('other').state, event).state.editor.text).toBe('other');
});

test('at most eight rows are shown, around the one that stands in the text, and fit', () => {
  const candidates = Array.from({ length: 20 }, (_, index) => `${'long-'.repeat(12)}${index}.ts`);
  for (const picked of [-1, 0, 10, 19]) {
    const rows = renderCompletion({ of: 'mention' as const, path: '', start: 0, end: 1, candidates, picked }, 40).map((line) =>
      paintLine(line),
    );
    expect(rows).toHaveLength(8);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(40);
    expect(rows.filter((row) => row.includes('▸'))).toHaveLength(picked === -1 ? 0 : 1);
    expect(rows.at(-1)).toContain('20 in all');
  }
});
