import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { decodeClientFrame, encodeFrame, JsonText } from '../src/index.js';
import { badFrames, goodFrames } from './corpus.js';

test.each(goodFrames())('decodes: $name', ({ text }) => {
  expect(decodeClientFrame(text)).toMatchObject({ ok: true });
});

test.each(badFrames())('refuses: $name', ({ text, code, reply_to, reply_to_type }) => {
  const named = JSON.parse(JSON.stringify({ replyTo: reply_to, replyToType: reply_to_type })) as object; // without what the case leaves open
  expect(decodeClientFrame(text)).toMatchObject({ ok: false, code, ...named });
});

test(verifies('G2:reply-to-type', 'a refusal names the type of the frame, also of one that no client frame has, if it is a name'), () => {
  const typeOf = (text: string): unknown => (decodeClientFrame(text) as { readonly replyToType?: string }).replyToType;
  expect(typeOf('{"type":"tool_result","call_id":"c"}')).toBe('tool_result');
  expect(typeOf('{"type":"tool_rezult","call_id":"c"}')).toBe('tool_rezult');
  expect(typeOf('{"type":"<b>","call_id":"c"}')).toBeUndefined();
  expect(typeOf('{"type":7,"call_id":"c"}')).toBeUndefined();
  expect(typeOf('{"type":"ack"')).toBeUndefined();
});

test(verifies('G2:decode', 'the corpus has at least sixty bad frames'), () => {
  expect(badFrames().length).toBeGreaterThanOrEqual(60);
});

test(verifies('L3:fidelity', 'a result is carried as the text it came in'), () => {
  const result = '{ "a":[],"b":{}, "n":9007199254740993,"s":1e-7,"t":"\\u0041\u2028" }';
  const decoded = decodeClientFrame(`{"type":"tool_result","call_id":"c","result":${result}}`);
  if (!decoded.ok || decoded.frame.type !== 'tool_result') throw new Error('it decodes');
  expect(decoded.frame.result?.text).toBe(result);
  expect(encodeFrame(decoded.frame)).toBe(`{"type":"tool_result","call_id":"c","result":${result}}`);
});

test.each(['"a\\u0041 "', '-1.50e3', 'true', 'null', '[1, {"b":1e400}]', '123456789012345678901234567890'])(
  verifies('L3:any-result', 'a result is any JSON value: %s'),
  (result) => {
    const text = `{"type":"tool_result","call_id":"c","result":${result}}`;
    const decoded = decodeClientFrame(text);
    expect(decoded.ok && encodeFrame(decoded.frame)).toBe(text);
  },
);

test('null beside an error is no result', () => {
  const decoded = decodeClientFrame('{"type":"tool_result","call_id":"c","result":null,"error":{"code":"X","message":"m"}}');
  expect(decoded).toEqual({ ok: true, frame: { type: 'tool_result', call_id: 'c', error: { code: 'X', message: 'm' } } });
});

test('a field that a decision lacks is named', () =>
  expect(decodeClientFrame('{"type":"hitl_decision","call_id":"c","decision":"edit"}')).toEqual({
    ...{ ok: false, code: 'MISSING_FIELD', replyTo: 'c', replyToType: 'hitl_decision' },
    message: 'hitl_decision.modified_args is required with the decision edit',
  }));

test('text that is carried goes in as it is, at any depth, and absent fields stay out', () => {
  const frame = { type: 'welcome', snapshot: { open_calls: [new JsonText('{"args":{"n":1.0}}')], queue: [] }, error: undefined, seq: null };
  expect(encodeFrame(frame)).toBe('{"type":"welcome","snapshot":{"open_calls":[{"args":{"n":1.0}}],"queue":[]}}');
});

test('a field that no body declares never reaches a handler', () => {
  const decoded = decodeClientFrame('{"type":"ack","seq":1,"admin":true}');
  expect(decoded).toEqual({ ok: true, frame: { type: 'ack', seq: 1 } });
});
