import { expect, test } from 'vitest';
import type { Message } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import { spliceRounds } from './splice-rounds.js';

const owner = { tenant: 't', sub: 'u' };
const text = (words: string) => ({ kind: 'text', text: words }) as const;
const call = (id: string) => ({ kind: 'tool_call', id, name: 'x', arguments: '{}' }) as const;
const result = (id: string): Message => ({ role: 'tool', parts: [{ kind: 'tool_result', id, content: '', isError: false }] });
const user: Message = { role: 'user', parts: [text('hi')] };
const answer = (words: string, ...ids: string[]): Message => ({ role: 'assistant', parts: [text(words), ...ids.map(call)] });

const rounds: Message[] = [answer('one', 'call_1'), result('call_1'), answer('two', 'call_2', 'call_3', 'call_4'), result('call_2')];
const find = (asked: string[][]) => ({
  find: async (_: object, ids: readonly string[]) => {
    asked.push([...ids]);
    return new Map(ids.filter((id) => id === 'call_3' || id === 'call_4').map((id) => [id, JSON.stringify(rounds)]));
  },
});

test(
  verifies('L3:CP-handover-return', 'where calls come back with their results, the rounds before them stand again in their place'),
  async () => {
    const came = [
      user,
      answer('one\n\ntwo', 'call_3', 'call_4'),
      result('call_3'),
      result('call_4'),
      answer('elsewhere', 'toolu_9'),
      result('toolu_9'),
    ];
    const asked: string[][] = [];
    expect(await spliceRounds(came, owner, find(asked))).toEqual([user, ...rounds, ...came.slice(2)]);
    expect(asked).toEqual([['call_3', 'call_4', 'toolu_9']]);
  },
);

test(verifies('L3:own-call-ids', 'calls that were handed over go back to their provider by its own ids'), async () => {
  const last: Message = { role: 'assistant', parts: [{ ...call('call_3'), providerId: 'functions.x:0' }, call('call_4')] };
  const handovers = { find: async () => new Map([['call_3', JSON.stringify([last])]]) };
  const said = await spliceRounds([user, answer('', 'call_3', 'call_4'), result('call_3'), result('call_4')], owner, handovers);
  const ids = said.map(({ parts }) => parts.flatMap((part) => ('id' in part ? [part.id] : [])));
  expect(ids).toEqual([[], ['functions.x:0', 'call_4'], ['functions.x:0'], ['call_4']]);
});

test('a conversation without calls asks nobody', async () => {
  const asked: string[][] = [];
  const came = [user, answer('plain'), user];
  expect(await spliceRounds(came, owner, find(asked))).toEqual(came);
  expect(asked).toEqual([]);
});
