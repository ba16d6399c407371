import { expect, test } from 'vitest';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import { closeOrphans } from './close-orphans.js';
import type { Message, Part } from './message.js';

const text = (said: string): Part => ({ kind: 'text', text: said });
const call = (id: string): Part => ({ kind: 'tool_call', id, name: 'read', arguments: '{}' });
const result = (id: string, content = `of ${id}`): Part => ({ kind: 'tool_result', id, content, isError: false });
const says = (...parts: Part[]): Message => ({ role: 'assistant', parts });
const tool = (...parts: Part[]): Message => ({ role: 'tool', parts });
const user = (...parts: Part[]): Message => ({ role: 'user', parts });
const close = (...messages: Message[]) => closeOrphans({ model: 'm', messages, tools: [] }).messages;
const unknown = (id: string) =>
  expect.objectContaining({ id, isError: true, content: expect.stringContaining('OUTCOME_UNKNOWN') }) as unknown as Part;

test('a request in order is the same object', () => {
  const request = {
    model: 'm',
    tools: [],
    messages: [user(text('a')), says(call('a'), call('b')), tool(result('a'), result('b')), says(text('x'))],
  };
  expect(closeOrphans(request)).toBe(request);
});

test.each<[what: string, before: Message[], after: Message[]]>([
  ['a call that nobody answered', [says(call('a'))], [says(call('a')), tool(unknown('a'))]],
  ['one of two calls', [says(call('a'), call('b')), tool(result('b'))], [says(call('a'), call('b')), tool(unknown('a')), tool(result('b'))]],
  ['results in another order', [says(call('a'), call('b')), tool(result('b')), tool(result('a'))], [says(call('a'), call('b')), tool(result('a')), tool(result('b'))]],
  ['a result that comes late', [says(call('a')), user(text('wait')), tool(result('a'))], [says(call('a')), tool(result('a')), user(text('wait'))]],
  ['two results of one call', [says(call('a')), tool(result('a', '1')), tool(result('a', '2'))], [says(call('a')), tool(result('a', '2'))]],
  ['a result of no call', [user(text('hi')), tool(result('z', 'lost'))], [user(text('hi')), user(text('Tool result: lost'))]],
  ['an empty one', [user(text('hi')), tool(result('z', ' '))], [user(text('hi'))]],
  ['a result before its call', [tool(result('a', 'early')), says(call('a'))], [user(text('Tool result: early')), says(call('a')), tool(unknown('a'))]],
  ['a result in a message of the user', [says(call('a')), user(text('x'), result('a'))], [says(call('a')), tool(result('a')), user(text('x'))]],
  ['an id that is used again', [says(call('a')), tool(result('a', '1')), says(call('a')), user(text('x')), tool(result('a', '2'))], [says(call('a')), tool(result('a', '1')), says(call('a')), tool(result('a', '2')), user(text('x'))]],
  ['an id twice in one message', [says(call('a'), call('a')), tool(result('a', '1')), tool(result('a', '2'))], [says(call('a'), call('a_2')), tool(result('a', '1')), tool(result('a_2', '2'))]],
])(verifies('R5:orphan-gate', '%s is put in order'), (_what, before, after) => {
  expect(close(...before)).toEqual(after);
}); // oxfmt-ignore

test(
  verifies(
    'R5:orphan-gate',
    'whatever comes in, each call has one result right after it, ids of one message differ, and texts are kept in order',
  ),
  () => {
    const id = fc.constantFrom('a', 'b', 'c', 'a_2');
    const some = (part: fc.Arbitrary<Part>) => fc.array(part, { maxLength: 3 });
    const said = fc.string({ minLength: 1 }).map(text);
    const results = fc.tuple(id, fc.string()).map(([id, content]) => result(id, content));
    const message = fc.oneof(
      some(fc.oneof(said, id.map(call))).map((parts) => says(...parts)),
      some(results).map((parts) => tool(...parts)),
      some(fc.oneof(said, results)).map((parts) => user(...parts)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 10 }), (messages) => {
        const closed = close(...messages);
        let open: string[] = [];
        for (const { role, parts } of closed) {
          const seen = new Set<string>();
          if (role !== 'tool') expect(open).toEqual([]);
          for (const part of parts) {
            if (part.kind === 'tool_call') {
              expect(seen.has(part.id)).toBe(false);
              seen.add(part.id);
              open.push(part.id);
            } else if (part.kind === 'tool_result') {
              expect(role).toBe('tool');
              expect(part.id).toBe(open[0]);
              open = open.slice(1);
            }
          }
        }
        expect(open).toEqual([]);
        const textsOf = (list: readonly Message[]) => list.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' && !part.text.startsWith('Tool result: ') ? [part.text] : []))); // oxfmt-ignore
        expect(textsOf(closed)).toEqual(textsOf(messages));
        const again = { model: 'm', tools: [], messages: closed };
        expect(closeOrphans(again)).toBe(again);
      }),
      { numRuns: 200 },
    );
  },
);

test('one id in many calls and results, of one message or of many, takes time in proportion to their number', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => n);
  const calls = many.map(() => call('a'));
  const results = many.map((n) => result('a', String(n)));
  const contents = (messages: readonly Message[]) =>
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool_result' ? [part.content] : [])));
  const closed = close(says(...calls), tool(...results), tool(result('a', 'again')));
  expect(contents(closed)).toEqual([...many.slice(0, -1).map(String), 'again']);
  expect(closed.at(-1)?.parts[0]).toMatchObject({ id: 'a_20000' });
  expect(contents(close(...many.flatMap((n) => [says(call('a')), tool(result('a', String(n)))])))).toEqual(many.map(String));
  const request = { model: 'm', tools: [], messages: [says(...many.map((n) => call(`c${n}`))), ...many.map((n) => tool(result(`c${n}`)))] };
  expect(closeOrphans(request)).toBe(request);
});
