import { expect, test } from 'vitest';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import { messages } from './messages/index.js';
import type { DecodedRequest, UpstreamCodec } from './dialect.js';
import type { ImagePart, Message, ModelRequest, ModelTool, Part, ToolChoice } from '../canonical/message.js';
import { chat } from './chat/index.js';
import type { ToolNames } from '../names/tool-names.js';

const RUNS = { numRuns: 100 };

/** Neither dialect has a word for a blank text. */
const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((said) => said.trim() !== '');
const textPart = text.map((said): Part => ({ kind: 'text', text: said }));
const image = fc.constantFrom<ImagePart['source']>(
  { kind: 'url', url: 'https://images.example/a.png' },
  { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' },
  { kind: 'base64', mediaType: 'image/webp', data: 'UklGRhoAAABXRUJQ' },
);
const imagePart = image.map((source): Part => ({ kind: 'image', source }));

/** JSON text of an object as somebody may have written it: with blanks, escapes, an integer that no number holds, keys in any order. */
const argumentText = fc
  .record({ members: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), blanks: fc.constantFrom(0, 2), isBig: fc.boolean() })
  .map(({ members, blanks, isBig }) => {
    const written = JSON.stringify(members, null, blanks);
    return isBig ? `{ "big":12345678901234567890, "\\u00e9": 1e400${written === '{}' ? '' : ','}${written.slice(1)}` : written;
  });

const NAMES = ['read_file', 'git.diff', 'git_diff', 'mcp server/ls', 'x'.repeat(90)] as const;
const TOOLS = NAMES.map((name, place): ModelTool => {
  const parameters = {
    type: 'object',
    properties: { z: { type: 'string' }, a: { type: 'integer' } },
    required: ['z'],
    additionalProperties: false,
  };
  return { name, description: place === 1 ? '' : `does ${name}`, parameters, ...(place === 2 && { strict: true }) };
});

interface Exchange {
  readonly asked: readonly Part[];
  readonly rounds: readonly {
    readonly said: readonly Part[];
    readonly calls: readonly (readonly [name: string, args: string, result: string])[];
  }[];
  readonly answer: readonly Part[];
}

const asked = fc.oneof(
  textPart.map((part) => [part]),
  fc.tuple(imagePart, fc.array(fc.oneof(textPart, imagePart), { maxLength: 2 })).map(([first, others]) => [first, ...others]),
);
const exchange: fc.Arbitrary<Exchange> = fc.record({
  asked,
  rounds: fc.array(
    fc.record({
      said: fc.array(textPart, { maxLength: 1 }),
      calls: fc.array(fc.tuple(fc.constantFrom(...NAMES), argumentText, fc.oneof(fc.constant(''), text)), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 2 },
  ),
  answer: fc.array(textPart, { minLength: 1, maxLength: 1 }),
});

/** A conversation that both dialects can express, ending with the user. Ids are unique, each call has its result. */
const toMessages = (system: readonly Part[], exchanges: readonly Exchange[]): Message[] => {
  let calls = 0;
  const messages: Message[] = system.length > 0 ? [{ role: 'system', parts: system }] : [];
  for (const [place, { asked, rounds, answer }] of exchanges.entries()) {
    messages.push({ role: 'user', parts: asked });
    if (place === exchanges.length - 1) break;
    for (const round of rounds) {
      const made = round.calls.map(([name, args, result]) => ({ id: `call_${calls++}`, name, arguments: args, result }));
      const parts = made.map(({ result: _, ...call }): Part => ({ kind: 'tool_call', ...call }));
      messages.push({ role: 'assistant', parts: [...round.said, ...parts] });
      for (const { id, result } of made)
        messages.push({ role: 'tool', parts: [{ kind: 'tool_result', id, content: result, isError: false }] });
    }
    messages.push({ role: 'assistant', parts: answer });
  }
  return messages;
};

const choice = fc.constantFrom<ToolChoice | undefined>(undefined, 'auto', 'none', 'required', { name: 'git.diff' });
const request: fc.Arbitrary<ModelRequest> = fc
  .record({
    system: fc.array(textPart, { maxLength: 1 }),
    exchanges: fc.array(exchange, { minLength: 1, maxLength: 3 }),
    choice,
    isOneAtATime: fc.boolean(),
    maxTokens: fc.integer({ min: 1, max: 9_000 }),
    temperature: fc.option(fc.constantFrom(0, 0.5, 1), { nil: undefined }),
    stop: fc.array(text, { maxLength: 4 }),
    user: fc.option(text, { nil: undefined }),
  })
  .map(({ system, exchanges, choice, isOneAtATime, maxTokens, temperature, stop, user }) => ({
    model: 'claude-3-5-haiku-latest',
    messages: toMessages(system, exchanges),
    tools: TOOLS,
    toolChoice: choice,
    // Anthropic says it beside a choice, and not beside `none`
    ...(choice !== undefined && choice !== 'none' && isOneAtATime && { parallelToolCalls: false }),
    maxTokens,
    temperature,
    ...(stop.length > 0 && { stop }),
    user,
  }));

/** The names that the encoder made legal, as they were; strict is strict, whatever the dialect means by it. */
const restore = (request: ModelRequest, names: ToolNames): ModelRequest => ({
  ...request,
  tools: request.tools.map(({ strict, ...tool }) => ({ ...tool, name: names.fromWire(tool.name), ...(strict && { strict: true }) })),
  messages: request.messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) => (part.kind === 'tool_call' ? { ...part, name: names.fromWire(part.name) } : part)),
  })),
  ...(typeof request.toolChoice === 'object' && { toolChoice: { name: names.fromWire(request.toolChoice.name) } }),
});

interface Codec {
  readonly upstream: Pick<UpstreamCodec, 'encodeRequest'>;
  readonly decodeRequest: (body: unknown, raw: string) => DecodedRequest;
}
const through = ({ upstream, decodeRequest }: Codec, given: ModelRequest): ModelRequest => {
  const { text: written, names } = upstream.encodeRequest(given);
  return restore(decodeRequest(JSON.parse(written), written).request, names);
};

test.each<[string, Codec]>([
  ['Chat Completions', chat],
  ['Messages', messages],
])(verifies('L3:round-trip', 'a conversation written as %s and read again is the same'), (_dialect, codec) => {
  fc.assert(
    fc.property(request, (given) => {
      expect(through(codec, given)).toEqual(given);
    }),
    RUNS,
  );
});

test(verifies('L3:round-trip', 'a chat request that goes to Anthropic and comes back is the same, byte for byte'), () => {
  fc.assert(
    fc.property(request, (given) => {
      const { text: written } = chat.upstream.encodeRequest(given);
      const atAnthropic = through(messages, chat.decodeRequest(JSON.parse(written), written).request);
      expect(chat.upstream.encodeRequest(atAnthropic).text).toBe(written);
    }),
    RUNS,
  );
});
