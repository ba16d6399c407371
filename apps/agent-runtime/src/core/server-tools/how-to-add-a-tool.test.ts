import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sessionRef } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { defineRow, takes } from '@codelab/vocabularies';
import { runTool } from './run-tool.js';
import type { ServerTool } from './server-tool.js';

const DOC = readFileSync(new URL('../../../../../docs/tools.md', import.meta.url), 'utf8');
const example = (word: string): string => new RegExp(`\`\`\`\\w+ ${word}\\n([^]*?)\`\`\``).exec(DOC)?.[1]?.trim() ?? '';
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');
const own = readFileSync(new URL(import.meta.url), 'utf8');

// oxfmt-ignore
const clock: ServerTool = {
  definition: {
    ...{ name: 'time.now', description: 'Tells the time.', parameters: { type: 'object' }, since: '2.1' },
    ...{ group: 'search', access: 'readonly', idempotency: 'safe', deadlineMs: 60_000 },
  },
  policy: { modes: { medium: 'allow', strict: 'ask', permissive: 'allow' }, risk: 'low', does: 'tells the time', touches: 'nothing' },
  run: async () => ({ ok: true, result: { text: new Date(0).toISOString() } }),
};

// oxfmt-ignore
const tellTime = defineRow<{ readonly zone?: string }>({
  ...{ name: 'TellTime', displayName: 'Tell the time', description: 'Tells the time in a zone.' },
  parameters: takes([], { zone: { type: 'string' } }),
  ...{ policy: 'allow', readonly: true, idempotency: 'safe', needs: ['time.now'], stands: 'time.now' },
  next: ({ zone = 'UTC' }, [outcome]) =>
    outcome === undefined
      ? { call: { tool: 'time.now', args: { zone } } }
      : { text: outcome.ok ? JSON.stringify(outcome.result) : outcome.message, isError: !outcome.ok },
});

test(verifies('L3:docs-runtime-tools', 'the tool of the runtime and the row of docs/tools.md work as they are said to'), async () => {
  for (const word of ['runtime-tool', 'row']) expect(plain(own)).toContain(plain(example(word)));
  const context = {} as never;
  const next = tellTime.next({}, [], context);
  expect(next).toEqual({ call: { tool: 'time.now', args: { zone: 'UTC' } } });
  const { owner, sessionId } = sessionRef({ tenant: 't', sub: 'ana' }, 's1');
  const run = { callId: 'c1', argumentsText: '{}', owner, sessionId, signal: new AbortController().signal, onOutput: () => undefined };
  const result = await runTool(clock, {}, run);
  expect(result).toEqual({ ok: true, result: '{"text":"1970-01-01T00:00:00.000Z"}' });
  const outcome = { tool: 'time.now', args: {}, asked: false, ok: true, result: { text: '1970' } } as const;
  expect(tellTime.next({}, [outcome], context)).toEqual({ text: '{"text":"1970"}', isError: false });
});
