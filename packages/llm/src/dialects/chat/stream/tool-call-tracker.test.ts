import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { collectAnswer } from '../../../canonical/collect-answer.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import { ToolNames } from '../../../names/tool-names.js';
import { ToolCallTracker } from './tool-call-tracker.js';

interface Fragment {
  index?: number;
  id?: string | null;
  name?: string;
  args?: unknown;
}

const fragment = ({ index, id, name, args }: Fragment) => ({ index, id, function: { name, arguments: args } });

function track(fragments: readonly Fragment[], names?: ToolNames): StreamPart[] {
  const tracker = new ToolCallTracker(names);
  return [...fragments.flatMap((each) => [...tracker.add(fragment(each))]), ...tracker.end()];
}

async function calls(fragments: readonly Fragment[]): Promise<[id: string, name: string, args: string][]> {
  const parts = track(fragments, new ToolNames(['read', 'list']));
  const ids = parts.flatMap((part) => (part.kind === 'tool_call_start' ? [part.id] : []));
  const { toolCalls } = await collectAnswer([...parts, { kind: 'finish', reason: 'tool_calls' }]);
  return toolCalls.map(({ providerId, name, arguments: args }, place) => {
    expect(['', ids[place]]).toContain(providerId);
    return [ids[place] ?? '', name, args];
  });
}

const A = '{"path":"a"}';
const B = '{"path":"b"}';

describe('a call is recognised', () => {
  test.each<[behaviour: string, fragments: Fragment[], expected: [id: string, name: string, args: string][]]>([
    [
      'as OpenAI sends it: id and name first, then pieces',
      [
        { index: 0, id: 'x', name: 'read', args: '' },
        { index: 0, args: '{"pa' },
        { index: 0, args: 'th":"a"}' },
        { index: 1, id: 'y', name: 'list', args: '' },
        { index: 1, args: B },
      ],
      [
        ['x', 'read', A],
        ['y', 'list', B],
      ],
    ],
    [
      'without index: a new call where an id is present, else the last one goes on',
      [{ id: 'x', name: 'read', args: '{"pa' }, { args: 'th":"a"}' }, { id: 'y', name: 'read', args: B }],
      [
        ['x', 'read', A],
        ['y', 'read', B],
      ],
    ],
    [
      'when a continuation has another index and no id',
      [
        { index: 0, id: 'x', name: 'read', args: '{"pa' },
        { index: 1, args: 'th":"a"}' },
      ],
      [['x', 'read', A]],
    ],
    [
      'when its name comes later',
      [
        { index: 0, id: 'x' },
        { index: 0, args: '{"pa' },
        { index: 0, name: 'read' },
        { index: 0, args: 'th":"a"}' },
      ],
      [['x', 'read', A]],
    ],
    [
      'when its name comes in pieces',
      [
        { index: 0, id: 'x', name: 're' },
        { index: 0, name: 'ad' },
        { index: 0, args: A },
      ],
      [['x', 'read', A]],
    ],
    [
      'when its name and id come whole in each fragment',
      [
        { index: 0, id: 'x', name: 'read', args: '{"pa' },
        { index: 0, id: 'x', name: 'read', args: 'th":"a"' },
        { index: 0, id: 'x', name: 'read', args: '}' },
      ],
      [['x', 'read', A]],
    ],
    [
      'when its id comes later, which is too late to be used',
      [
        { index: 0, name: 'read', args: '{"pa' },
        { index: 0, id: 'x', args: 'th":"a"}' },
      ],
      [['call_0', 'read', A]],
    ],
    [
      'when each fragment has an id of its own',
      [
        { index: 0, id: 'x1', name: 'read', args: '' },
        { index: 0, id: 'x2', args: '{"pa' },
        { index: 0, id: 'x3', args: 'th":"a"}' },
      ],
      [['x1', 'read', A]],
    ],
    [
      'when its index comes later',
      [
        { id: 'x', name: 'read' },
        { index: 0, id: 'x', args: A },
      ],
      [['x', 'read', A]],
    ],
    [
      'when every call has index 0 and arguments in pieces',
      [
        { index: 0, id: 'x', name: 'read', args: '{"pa' },
        { index: 0, args: 'th":"a"}' },
        { index: 0, id: 'y', name: 'read', args: '{"pa' },
        { index: 0, args: 'th":"b"}' },
      ],
      [
        ['x', 'read', A],
        ['y', 'read', B],
      ],
    ],
    [
      'when every call has index 0 and no id',
      [
        { index: 0, name: 'read', args: A },
        { index: 0, name: 'read', args: B },
        { index: 0, name: 'list', args: '' },
      ],
      [
        ['call_0', 'read', A],
        ['call_1', 'read', B],
        ['call_2', 'list', ''],
      ],
    ],
    [
      'when there is neither index nor id',
      [{ name: 'list' }, { name: 'read', args: '{"pa' }, { args: 'th":"a"}' }, { name: 'read', args: B }],
      [
        ['call_0', 'list', ''],
        ['call_1', 'read', A],
        ['call_2', 'read', B],
      ],
    ],
    [
      'when ids repeat with other indexes',
      [
        { index: 0, id: 'call_0', name: 'read', args: A },
        { index: 1, id: 'call_0', name: 'read', args: B },
      ],
      [
        ['call_0', 'read', A],
        ['call_0_2', 'read', B],
      ],
    ],
    [
      'when fragments of two calls alternate',
      [
        { index: 0, id: 'x', name: 'read', args: '{"pa' },
        { index: 1, id: 'y', name: 'list', args: '{"pa' },
        { index: 0, args: 'th":"a"}' },
        { index: 1, args: 'th":"b"}' },
      ],
      [
        ['x', 'read', A],
        ['y', 'list', B],
      ],
    ],
    [
      'when indexes start at 1 or leave gaps',
      [
        { index: 1, id: 'x', name: 'read', args: A },
        { index: 5, id: 'y', name: 'list', args: B },
      ],
      [
        ['x', 'read', A],
        ['y', 'list', B],
      ],
    ],
    ['when its arguments are an object', [{ index: 0, id: 'x', name: 'read', args: { path: 'a' } }], [['x', 'read', A]]],
    ['when it has no arguments at all', [{ index: 0, id: 'x', name: 'list' }], [['x', 'list', '']]],
    [
      'when blank ids stand for none',
      [
        { index: 0, id: '', name: 'read', args: '{"pa' },
        { index: 0, id: null, args: 'th":"a"}' },
      ],
      [['call_0', 'read', A]],
    ],
  ])(verifies('L3:tool-call-fragments', '%s'), async (_behaviour, fragments, expected) => {
    expect(await calls(fragments)).toEqual(expected);
  });
});

test.each([
  [['1', '23'], '123'],
  [['{}', '{"path":"a"}'], '{}{"path":"a"}'],
  [[A, ' ', ''], `${A} `],
])(verifies('L3:ST8', 'text that parses already (%j) ends no call, and nothing after it is dropped'), async (pieces, whole) => {
  expect(await calls([{ index: 0, id: 'x', name: 'read' }, ...pieces.map((args) => ({ index: 0, args }))])).toEqual([['x', 'read', whole]]);
});

test(verifies('L3:ST7', 'a call without a name is an error, after everything else was given out'), () => {
  const tracker = new ToolCallTracker();
  expect([...tracker.add(fragment({ index: 0, id: 'x', args: A }))]).toEqual([]);
  expect(() => [...tracker.end()]).toThrow(expect.objectContaining({ code: 'stream_interrupted' }));
});

test('a call of a declared tool starts at once, one of another tool with its first arguments', () => {
  const tracker = new ToolCallTracker(new ToolNames(['git.diff']));
  expect([...tracker.add(fragment({ index: 0, id: 'x', name: 'git_diff' }))]).toEqual([
    { kind: 'tool_call_start', index: 0, id: 'x', name: 'git.diff' },
  ]);
  expect([...tracker.add(fragment({ index: 1, id: 'y', name: 'made' }))]).toEqual([]);
  expect([...tracker.add(fragment({ index: 1, name: '_up', args: '{' }))]).toEqual([
    { kind: 'tool_call_start', index: 1, id: 'y', name: 'made_up' },
    { kind: 'tool_call_delta', index: 1, arguments: '{' },
  ]);
  expect([...tracker.end()]).toEqual([
    { kind: 'tool_call_end', index: 0 },
    { kind: 'tool_call_end', index: 1 },
  ]);
});

test(verifies('L3:ST4', 'a whole call ends when the next one begins; one that could go on ends with the answer'), () => {
  const endsOf = (...fragments: Fragment[]) => {
    const tracker = new ToolCallTracker(new ToolNames(['read']));
    return fragments.map((each) => [...tracker.add(fragment(each))].filter(({ kind }) => kind === 'tool_call_end').length);
  };
  const next: Fragment = { index: 1, id: 'y', name: 'read', args: B };
  expect(endsOf({ index: 0, id: 'x', name: 'read', args: A }, next, { index: 0, args: ' ' })).toEqual([0, 1, 0]);
  for (const args of ['', '{}', '1', '{"path"']) expect(endsOf({ index: 0, id: 'x', name: 'read', args }, next)).toEqual([0, 0]);
  expect(track([{ index: 0, id: 'x', name: 'read', args: A }, next]).filter(({ kind }) => kind === 'tool_call_end')).toEqual([
    { kind: 'tool_call_end', index: 0 },
    { kind: 'tool_call_end', index: 1 },
  ]);
});

describe('20,000 fragments take time in proportion to their number', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => n);
  const starts = (parts: readonly StreamPart[]) => parts.flatMap((part) => (part.kind === 'tool_call_start' ? [part] : []));

  test.each<[what: string, of: (n: number) => Fragment[], calls: number, lastId: string]>([
    ['of calls with one id', () => [{ id: 'x', name: 'read', args: A }], 20_000, 'x_20000'],
    ['of calls with one id, and an index each', (index) => [{ index, id: 'x', name: 'read', args: A }], 20_000, 'x_20000'],
    ['of calls by turns', (n) => [{ index: n, id: `x${n}`, name: 'read' }, { index: 0, args: '}' }, { index: n, args: '{' }], 20_000, 'x19999'],
    ['of one call, each with its name, and a bracket at its end', () => [{ index: 0, id: 'x', name: 'read', args: `${'{'.repeat(99)}}` }], 1, 'x'],
    ['of a name', () => [{ index: 0, id: 'x', name: 'r' }], 1, 'x'],
  ])('%s', (_what, of, calls, lastId) => {
    const started = starts(track(many.flatMap(of), new ToolNames(['read'])));
    expect(started).toHaveLength(calls);
    expect(started.at(-1)?.id).toBe(lastId);
  }); // oxfmt-ignore
});
