import { expect, test } from 'vitest';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import { LlmError } from '../../../errors/llm-error.js';
import { ToolNames } from '../../../names/tool-names.js';
import { checkRequest } from '../request/check-request.js';
import { prepareRelay } from './prepare-relay.js';
import { relayAnswer } from './relay-answer.js';
import { sealThought } from '../request/thought-envelope.js';
import { watchStream } from './watch-stream.js';

const event = (type: string, fields: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
};
const COMPLETED = event('response.completed', { response: { status: 'completed', usage: USAGE } });
const STREAM =
  event('response.created', { response: { id: 'r' } }) +
  ': keep-alive\n\n' +
  event('response.output_text.delta', { delta: '안녕 🙂' }) +
  COMPLETED;

const target = { model: 'm', quirks: {}, stream: true };
const prepare = (raw: string) => prepareRelay(raw, JSON.parse(raw), target);

test('a request that needs nothing goes on byte for byte', () => {
  const raw = '{"model": "m",\n "input":[{"type":"unheard_of","n":12345678901234567890}], "tools":[{"type":"web_search"}],"store":true}';
  expect(prepare(raw)).toEqual({ text: raw });
});

test(verifies('L3:responses-relay', 'in a relayed request only the model, our fields, illegal names and foreign thoughts change'), () => {
  const sealed = sealThought({ kind: 'thinking', text: 'x', signature: 's' });
  const raw =
    `{"model":"gpt","use_ide_tools":true,"input":[{"type":"reasoning","encrypted_content":"${sealed}"},{"type":"reasoning","encrypted_content":"gAAA"},` +
    '{"type":"function_call","name":"git.diff","call_id":"a","arguments":"{\\"n\\":1e400}"}],' +
    '"tools":[{"type":"function","name":"git.diff"},{"type":"namespace","name":"my.server","tools":[{"type":"function","name":"x.y"}]}],' +
    '"tool_choice":{"type":"function","name":"git.diff"}}';
  const { text, names } = prepare(raw);
  expect(text).toBe(
    '{"model":"m","input":[{"type":"reasoning","encrypted_content":"gAAA"},' +
      '{"type":"function_call","name":"git_diff","call_id":"a","arguments":"{\\"n\\":1e400}"}],' +
      '"tools":[{"type":"function","name":"git_diff"},{"type":"namespace","name":"my.server","tools":[{"type":"function","name":"x_y"}]}],' +
      '"tool_choice":{"type":"function","name":"git_diff"}}',
  );
  expect(names?.fromWire('x_y')).toBe('x.y');
});

test('what only the upstream can know is left to it', () => {
  const output = { type: 'function_call_output', call_id: 'a', output: 'x' };
  expect(() => checkRequest({ model: 'm', input: [output] })).toThrow('no call "a"');
  expect(() => checkRequest({ model: 'm', input: [output], previous_response_id: 'resp_1' })).not.toThrow();
  expect(() => checkRequest({ model: 'm', input: [{ type: 'item_reference', id: 'fc_1' }, output] })).not.toThrow();
});

test(verifies('L3:responses-watch', 'a relayed stream keeps its bytes wherever they are cut, and its usage and end are known'), () => {
  const bytes = new TextEncoder().encode(STREAM);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 6 }), (cuts) => {
      const watch = watchStream();
      const marks = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const out = marks.slice(1).map((end, i) => watch.push(bytes.subarray(marks[i], end)));
      out.push(watch.end());
      expect(Buffer.concat(out).toString()).toBe(STREAM);
      expect([watch.begun, watch.whole]).toEqual([true, true]);
      expect(watch.usage).toEqual({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 3, reasoningTokens: 2 });
    }),
    { numRuns: 100 },
  );
});

const push = (watch: ReturnType<typeof watchStream>, text: string) => Buffer.from(watch.push(Buffer.from(text))).toString();
const thrown = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

test(
  verifies('L3:responses-cut', 'a relayed stream that ends early or in an error is an interrupted one, and its words stay inside'),
  () => {
    const cut = watchStream();
    push(cut, event('response.created'));
    expect(thrown(() => cut.end())).toMatchObject({ code: 'stream_interrupted' });

    const failed = watchStream();
    const begun = event('response.output_text.delta', { delta: 'a' });
    const failure = event('response.failed', { response: { error: { code: 'rate_limit_exceeded', message: 'key sk-secret' } } });
    expect(push(failed, begun + failure)).toBe(begun);
    expect(failed.whole).toBe(true);
    const error = thrown(() => failed.end());
    expect(error).toBeInstanceOf(LlmError);
    expect(error).toMatchObject({ code: 'rate_limited', message: expect.not.stringContaining('secret') as unknown });
    expect(thrown(() => push(watchStream(), event('error', { code: 'server_is_overloaded', message: 'x' })))).toBeInstanceOf(LlmError);
  },
);

test('an incomplete response is a whole one, also without the names of events and the last blank line', () => {
  const watch = watchStream();
  push(watch, 'data: {"response":{"usage":null},"type":"response.incomplete"}');
  watch.end();
  expect([watch.whole, watch.usage]).toEqual([true, undefined]);
});

test('a comment that Continue would stumble over becomes one that it does not (F4)', () => {
  expect(push(watchStream(), ': ping\n\n')).toBe(': keep-alive\n\n');
});

test('names come back in the stream and in an answer', () => {
  const names = new ToolNames(['git.diff']);
  const item = { type: 'function_call', name: 'git_diff', arguments: '{"name":"git_diff"}' };
  const watch = watchStream({ names });
  const added = push(watch, event('response.output_item.added', { item }));
  expect(added).toBe(event('response.output_item.added', { item: { ...item, name: 'git.diff' } }));
  const done = push(watch, event('response.completed', { response: { output: [item] } }));
  expect(done).toContain('"name":"git.diff"');
  expect(relayAnswer(JSON.stringify({ output: [item], usage: USAGE }), names)).toEqual({
    text: JSON.stringify({ output: [{ ...item, name: 'git.diff' }], usage: USAGE }),
    usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 3, reasoningTokens: 2 },
  });
});

test.each(['<html>', '', '[]', '{}', '{"status":"failed","error":{"code":"server_error","message":"x"}}'])('no answer: %s', (text) => {
  expect(thrown(() => relayAnswer(text))).toMatchObject({ name: 'LlmError', code: 'unavailable' });
});
