import { expect, test } from 'vitest';
import { RawJson } from '@codelab/llm';
import { writeBody } from './write-body.js';

const never = new AbortController().signal;
const message = (text: string) => ({ role: 'user', content: text });

test('a body reads as it was, with raw JSON to the letter', async () => {
  const body = { model: 'm', stream: true, messages: [message('a"b'), { input: new RawJson('{"n":12345678901234567890}') }] };
  expect(String(await writeBody(body, never))).toBe(
    '{"model":"m","stream":true,"messages":[{"role":"user","content":"a\\"b"},{"input":{"n":12345678901234567890}}]}',
  );
  expect(String(await writeBody({ messages: [], ...{ model: 'm' } }, never))).toBe('{"model":"m","messages":[]}');
});

test('the loop turns while a long one is written, and a cancel stops it', async () => {
  const messages = Array.from({ length: 40 }, (_, i) => message(`${String(i)} ${'é"\n'.repeat(50_000)}`));
  let turns = 0;
  let writing = true;
  const count = (): void => {
    turns += 1;
    if (writing) setImmediate(count);
  };
  setImmediate(count);
  const whole = await writeBody({ ...{ model: 'm' }, messages }, never);
  writing = false;
  expect(turns).toBeGreaterThan(5);
  const cut = await writeBody({ ...{ model: 'm' }, messages }, AbortSignal.abort());
  expect(cut.length).toBeLessThan(whole.length / 5);
});
