import { expect, test } from 'vitest';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import { scrubWording } from './scrub-wording.js';
import { withoutPrompt } from './without-prompt.js';

const PROMPT = 'Our launch is on the 3rd of May.\nNobody outside "Finance" may know before.';
const request = JSON.stringify({
  model: 'accounts/fireworks/models/llama-v3p1-405b-instruct',
  messages: [
    { role: 'system', content: 'internal-code-name' },
    { role: 'user', content: PROMPT },
    {
      role: 'assistant',
      tool_calls: [
        {
          id: 'call_0',
          function: { name: 'mcp__server__a_name_of_more_than_thirty_two', arguments: '{"note":"the merger is off the table"}' },
        },
      ],
    },
  ],
  tools: [{ name: 't', description: 'Looks into the secret archive of the firm.' }],
});

test.each([
  [
    'a value that is quoted',
    `Invalid value: '${PROMPT}'. Supported values are: 'auto'.`,
    "Invalid value: '[…]'. Supported values are: 'auto'.",
  ],
  ['one in JSON', `bad: ${JSON.stringify(PROMPT)} (messages[1].content)`, 'bad: "[…]" (messages[1].content)'],
  ["Python's way of quoting", `bad: 'Our launch is on the 3rd of May.\\nNobody outside \\"Finance\\" may'`, "bad: '[…]'"],
  ['a piece of it', 'cannot parse: Nobody outside "Finance" may know', 'cannot parse: […]'],
  ['its two ends', `Input 'Our launch is o... know before.' is too short`, "Input '[…]' is too short"],
  ['a short text as a whole', 'unknown persona internal-code-name here', 'unknown persona […] here'],
  ['arguments of a call', 'arguments {"note": "the merger is off the table"} are refused', 'arguments […] are refused'],
  ['a description of a tool', 'tools.0: Looks into the secret archive of the firm. is too long', 'tools.0: […] is too long'],
  [
    "pydantic's input",
    `1 validation error for ChatRequest\nmessages.1\n  Field required [type=missing, input_value={'content': 'Our launch'}, input_type=dict]`,
    '1 validation error for ChatRequest\nmessages.1\n  Field required [type=missing, input_value=[…], input_type=dict]',
  ],
  [
    "FastAPI's input",
    `[{'type': 'missing', 'loc': ('body', 'x'), 'msg': 'Field required', 'input': {'role': 'user'}}]`,
    `[{'type': 'missing', 'loc': ('body', 'x'), 'msg': 'Field required', 'input': […]}]`,
  ],
])(verifies('L1:no-echo', 'of %s nothing is left'), (_, said, left) => {
  expect(withoutPrompt(said, request)).toBe(left);
});

test.each([
  'The model `accounts/fireworks/models/llama-v3p1-405b-instruct` does not exist.',
  "messages.2: tool_use ids without results: 'call_0', of mcp__server__a_name_of_more_than_thirty_two.",
  "Invalid 'messages[1].content': array too long. Expected at most 4, got 9.",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  "Unrecognized role 'assistant'; expected 'user' or 'system'.",
])(verifies('L1:no-echo', 'names and fields stay: %s'), (said) => {
  expect(withoutPrompt(said, request)).toBe(said);
});

test(verifies('L1:no-echo', 'no run of 32 characters of a prompt is left, wherever it stands and however it is escaped'), () => {
  const text = fc.string({ unit: fc.constantFrom(...'abcdefghij klmnop한글🙂\n"\'\\'), minLength: 60, maxLength: 400 });
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 32, max: 200 }), fc.boolean(), (prompt, from, length, isEscaped) => {
      const begin = from % (prompt.length - 32);
      const piece = prompt.slice(begin, begin + length);
      const said = `refused: ${isEscaped ? JSON.stringify(piece) : piece} at 7`;
      const left = withoutPrompt(said, JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] }));
      const bare = (all: string) => all.replace(/\\[nrt]|[\s"'`\\]/g, ''); // one at a time: `"\n` is a quote and an escape
      const [short, whole] = [bare(left), bare(prompt)];
      for (let at = 0; at + 24 <= short.length; at += 1) if (whole.includes(short.slice(at, at + 24))) throw new Error(left);
    }),
  );
});

test(verifies('L1:no-echo', 'of an answer that carries that of another server the innermost message counts'), () => {
  const inner = JSON.stringify({ error: { message: 'tools.0 is wrong', input: PROMPT } });
  expect(scrubWording(JSON.stringify({ error: { message: inner }, request: PROMPT }), request)).toBe('tools.0 is wrong');
  expect(scrubWording(JSON.stringify({ detail: [{ input: PROMPT }] }), request)).toBeUndefined();
});

test('a long request is compared, too', () => {
  const long = JSON.stringify({ messages: [{ role: 'user', content: 'lorem ipsum dolor sit amet, '.repeat(300_000) }] });
  expect(withoutPrompt(`no: ${'lorem ipsum dolor sit amet, '.repeat(3)}`, long)).toMatch(/^no: \[…\]\S?\s*$/);
});
