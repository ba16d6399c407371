import { expect, test } from 'vitest';
import { EMPTY_VIEW, type CallItem, type SessionView } from '@codelab/client/view';
import { plainHighlighter } from '../markdown/highlight-code.js';
import { renderActivity } from './render-activity.js';

const turn = { turnId: 't', startedAtMs: 0, cancelling: false };
const retry = { reason: 'rate_limited', message: 'Rate limit reached for gpt.', attempt: 2, maxAttempts: 5, atMs: 20_000 } as const;

const rows = (view: Partial<SessionView>, nowMs: number, width: number): readonly string[] =>
  renderActivity({ ...EMPTY_VIEW, ...view }, { width, highlight: plainHighlighter, marks: false, nowMs }).map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .slice(2),
  );

test.each<[string, Partial<SessionView>, number, readonly string[]]>([
  ['nothing without a turn', {}, 0, []],
  ['thinking', { turn }, 0, ['thinking']],
  ['nothing while somebody is asked', { turn, items: [{ kind: 'call', progress: 'waiting' } as CallItem] }, 0, []],
  ['compacting', { turn, activity: 'compacting' }, 0, ['summing up what is older']],
  ['waiting for the provider', { turn, retry }, 8_400, ['rate limited: Rate limit reached for gpt. · trying again in 12 s (2 of 5)']],
  ['its time is over', { turn, retry }, 20_000, ['rate limited: Rate limit reached for gpt. · asking again (2 of 5)']],
  [
    'limits of ours, without words',
    { turn, retry: { ...retry, message: undefined, maxAttempts: undefined } },
    19_000,
    ['rate limited · trying again in 1 s (attempt 2)'],
  ],
  ['a turn that is being stopped', { turn: { ...turn, cancelling: true }, retry }, 0, ['stopping …']],
])('%s', (_, view, nowMs, expected) => expect(rows(view, nowMs, 120)).toEqual(expected));

test('in a narrow window all of it is read', () => {
  expect(rows({ turn, retry }, 8_400, 40).join(' ')).toBe('rate limited: Rate limit reached for gpt. · trying again in 12 s (2 of 5)');
});
