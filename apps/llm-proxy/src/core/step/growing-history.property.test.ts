import { describe, expect, test } from 'vitest';
import type { StepRequest } from '@codelab/bus';
import { closeOrphans, DIALECTS, estimateTokens, type HistoryItem, type Quirks } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { writeBody } from '../upstreams/transport/write-body.js';
import { type KnownHistory, toModelRequest } from './to-model-request.js';

type Said = ReturnType<typeof toModelRequest>;

const tools: StepRequest['tools'] = ['read_file', 'git.diff', 'run command'].map((name) => ({
  ...{ name, description: `does "${name}"` },
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}));
const stepOf = (system: string, offered: StepRequest['tools']): StepRequest => ({
  ...{ turnId: 't', messageId: 'm', model: 'm', agent: 'coder', vocabulary: 'codelab', historyVersion: 0 },
  ...{ system, tools: offered },
});

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const callId = fc.constantFrom('call_a', 'call_b', 'call_c', 'call_d');
const turn_id = fc.constantFrom('t1', 't2');
const at_ms = fc.constant(1);
const png = fc.constantFrom('iVBORw0KGgo=', 'iVBORw0KGgp=');
const file = fc.oneof(
  fc.record({ path: fc.constant('a.png'), media_type: fc.constant('image/png'), content: png }),
  fc.record({ path: fc.constant('a.ts'), content: text }),
);
const thought = fc.record({ kind: fc.constant('thinking' as const), text, signature: fc.constant('sig') });
const toolCall = fc.record({
  call_id: callId,
  tool_name: fc.constantFrom('read_file', 'git.diff', 'run command', 'made up/ä'),
  arguments: fc.oneof(fc.constant('{"n": 12345678901234567890}'), fc.constant('no json'), fc.json()),
  provider_id: fc.constantFrom('', 'call_0', 'toolu_1'),
});
const item: fc.Arbitrary<HistoryItem> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), turn_id, message_id: fc.constant('m'), content: text, at_ms }),
  fc.record({
    ...{ role: fc.constant('user' as const), turn_id, message_id: fc.constant('m'), content: text },
    ...{ attachments: fc.array(file, { maxLength: 18 }), at_ms },
  }),
  fc.record({
    ...{ role: fc.constant('assistant' as const), turn_id, message_id: fc.constant('m'), content: text },
    ...{ tool_calls: fc.array(toolCall, { maxLength: 3 }), thinking: fc.array(thought, { maxLength: 1 }), at_ms },
  }),
  fc.record({
    ...{ role: fc.constant('tool' as const), turn_id, call_id: callId, tool_name: fc.constant('read_file') },
    ...{ content: text, is_error: fc.boolean(), at_ms },
  }),
  fc.record({ role: fc.constant('note' as const), content: text, at_ms }),
);

const never = new AbortController().signal;
const QUIRKS: readonly Quirks[] = [
  {},
  { content_text: true, reasoning_content: true, tool_call_ids: 'alphanumeric9' },
  { max_tool_name: 12 },
];

/** What a request comes to: the bodies in every dialect that is asked, and the estimate. */
const writeAll = async ({ request, growth }: Said): Promise<unknown> => {
  const inOrder = closeOrphans(request, growth);
  const written = [];
  for (const { upstream } of Object.values(DIALECTS)) {
    for (const quirks of upstream === undefined ? [] : QUIRKS) {
      const { body } = upstream!.encodeRequest(inOrder, { quirks, growth });
      written.push(String(await writeBody(body, never)));
    }
  }
  return [...written, estimateTokens(inOrder, growth)];
};

test(verifies('L3:growing-history', 'a request from what is kept of the steps before equals one from nothing, byte for byte'), async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 12 }), fc.array(text, { minLength: 1, maxLength: 2 }), async (items, systems) => {
      let asked: KnownHistory['asked'];
      let overtaken: { readonly said: Said; readonly written: unknown } | undefined;
      for (let length = 0; length <= items.length; length += 2) {
        const known: KnownHistory = { items: items.slice(0, length), asked };
        const [system = ''] = length < 6 ? systems : systems.toReversed();
        const said = toModelRequest({ step: stepOf(system, tools), history: known });
        const written = await writeAll(said);
        const anew = { step: stepOf(system, structuredClone(tools)), history: { items: structuredClone(known.items) } };
        expect(written).toEqual(await writeAll(toModelRequest(anew)));
        if (overtaken) expect(await writeAll(overtaken.said)).toEqual(overtaken.written);
        overtaken = { said, written };
        asked = known.asked;
      }
    }),
    { numRuns: 60 },
  );
});

describe('late in a long conversation', () => {
  const called = (place: number): HistoryItem[] => [
    {
      ...{ role: 'assistant' as const, turn_id: 't', message_id: 'm', content: 'so', at_ms: 1 },
      tool_calls: [{ call_id: `call_${String(place)}`, tool_name: 'read_file', arguments: '{"path":"a"}', provider_id: '' }],
    },
    {
      ...{ role: 'tool' as const, turn_id: 't', call_id: `call_${String(place)}`, tool_name: 'read_file' },
      ...{ content: 'x'.repeat(800), is_error: false, at_ms: 1 },
    },
  ];
  const user: HistoryItem = { role: 'user', turn_id: 't', message_id: 'm', content: 'go', at_ms: 1 };
  const history = [user, ...Array.from({ length: 200 }, (_, place) => called(place)).flat()];

  /** The requests of two steps, one after the other. */
  const ask = (): readonly [Said, () => Said] => {
    const step = stepOf('be brief', tools);
    const known: KnownHistory = { items: history.slice(0, 399) };
    return [toModelRequest({ step, history: known }), () => toModelRequest({ step, history: { ...known, items: history.slice(0, 401) } })];
  };

  test(verifies('G4:long-history', 'a step reads nothing of what was said before'), async () => {
    const [{ request, growth }, next] = ask();
    const encode = async (asked: typeof request): Promise<number> => {
      const inOrder = closeOrphans(asked, growth);
      estimateTokens(inOrder, growth);
      return (await writeBody(DIALECTS.chat.upstream!.encodeRequest(inOrder, { growth }).body, never)).length;
    };
    const length = await encode(request);
    let reads = 0;
    for (const message of request.messages) {
      const { parts } = message;
      Object.defineProperty(message, 'parts', { get: () => ((reads += 1), parts) });
    }
    const after = next();
    expect(after.growth).toBe(growth);
    expect(await encode(after.request)).toBeGreaterThan(length + 800);
    expect(reads).toBe(0);
  });

  test(verifies('G4:long-history', 'cache marks move, the other blocks stay'), () => {
    const [before, next] = ask();
    const after = next();
    const blocksOf = ({ request, growth }: Said): readonly unknown[] =>
      DIALECTS.messages
        .upstream!.encodeRequest(request, { growth })
        .body.messages.flatMap((message) => (message as { readonly content: readonly unknown[] }).content);
    const [first, second] = [blocksOf(before), blocksOf(after)];
    const anew = first.filter((block, place) => block !== second[place]);
    expect(anew.length).toBeLessThanOrEqual(2); // those that a cache mark left, or came to
  });
});
