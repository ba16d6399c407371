import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { scrubWording } from './scrub-wording.js';

test.each([
  ['Incorrect API key provided: sk-proj-abc***xyz.', 'Incorrect API key provided: [key]'],
  ['Authorization: Bearer abc.def was refused', 'Authorization: [key] was refused'],
  ['key-4f9a8b7c is over its limit in organization org-A1b2C3', '[key] is over its limit in organization [key]'],
  ['token eyJhbGciOi.eyJzdWIi.c2ln is old', 'token [key] is old'],
  ['secret 0123456789abcdef0123456789abcdef', 'secret [key]'],
  ['POST https://gateway.corp/v1/chat?key=1 said no', 'POST [url] said no'],
  ['no route to 10.0.0.7:11434 or [fe80::1]:80', 'no route to [host] or [host]'],
  ['dial ollama:11434, vllm.svc.cluster.local, api.example.com:8443', 'dial [host], [host], [host]'],
  ['connect localhost failed', 'connect [host] failed'],
])(verifies('L1:wording', 'of %j the caller reads %j'), (said, read) => {
  expect(scrubWording(said)).toBe(read);
});

test.each([
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01A09q90qw90lq917835lq9',
  'prompt is too long: 200257 tokens > 200000 maximum',
  "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  'max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5-20250929',
])(verifies('L1:wording', 'what programs react to stays as it is: %s'), (said) => {
  expect(scrubWording(said)).toBe(said);
});

test('of anything but a text, and of a blank one, nothing is left; a long one is cut', () => {
  for (const said of [undefined, null, 7, {}, '', ' \n\u0000']) expect(scrubWording(said)).toBeUndefined();
  expect(scrubWording('a\r\nb')).toBe('a b');
  expect(scrubWording('word '.repeat(5_000))).toHaveLength(2_000);
});
