import { EMPTY_VIEW, type SessionView } from '@codelab/client/view';
import { expect, test } from 'vitest';
import { eventually } from '@codelab/testkit';
import type { FromView, ToView } from './messages.js';
import { ViewServer, type ServedPort } from './serve-view.js';

const served = () => {
  let view: SessionView = EMPTY_VIEW;
  const listeners = new Set<() => void>();
  const opened: string[] = [];
  const port = {
    view: () => view,
    questions: () => NONE,
    facts: () => FACTS,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    cancel: async () => undefined,
    send: async () => Promise.reject(Object.assign(new Error('Too long.'), { code: 'INVALID_FIELD' })),
    openFile: (path: string, line?: number) => void opened.push(`${path}:${String(line)}`),
    openLink: (url: string) => void opened.push(url),
  } as unknown as ServedPort;
  const posted: ToView[] = [];
  const server = new ViewServer(port, (message) => void posted.push(message));
  const change = (next: SessionView): void => {
    view = next;
    for (const listener of listeners) listener();
  };
  return { server, posted, opened, change, listeners };
};
const FACTS = {};
const NONE: readonly never[] = [];

test('a view hears everything at its beginning, then what changed, and many changes at once', async () => {
  const { server, posted, change, listeners } = served();
  change({ ...EMPTY_VIEW, seq: 1 });
  await server.take({ type: 'ready' });
  for (let seq = 2; seq <= 100; seq += 1) change({ ...EMPTY_VIEW, seq });
  await eventually('it is told', () => posted.length === 2);
  expect(posted).toEqual([
    { type: 'begin', view: { ...EMPTY_VIEW, seq: 1 }, questions: [], facts: FACTS },
    { type: 'view', patch: { facts: expect.objectContaining({ seq: 100 }) } },
  ]);
  server.dispose();
  expect(listeners.size).toBe(0);
});

test('what a view asks is answered by its number, with the words and the code of a refusal; other methods are refused', async () => {
  const { server, posted, opened } = served();
  await server.take({ type: 'ask', id: 1, method: 'cancel', args: [] });
  await server.take({ type: 'ask', id: 2, method: 'send', args: [{ content: 'x' }] });
  await server.take({ type: 'ask', id: 3, method: 'runCommand', args: ['rm'] } as unknown as FromView);
  expect(posted).toEqual([
    { type: 'reply', id: 1, value: undefined },
    { type: 'reply', id: 2, error: { message: 'Too long.', code: 'INVALID_FIELD' } },
    { type: 'reply', id: 3, error: { message: "The chat can't ask for runCommand.", code: undefined } },
  ]);
  await server.take({ type: 'open', what: 'file', path: 'a.ts', line: 3 });
  await server.take({ type: 'open', what: 'link', url: 'https://x' });
  expect(opened).toEqual(['a.ts:3', 'https://x']);
});
