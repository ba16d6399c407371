import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { run } from './run-program.js';
import { startProxy, type TestProxy } from './start-proxy.js';
import { resultsOf } from './scripted-rounds.js';

const PAGE = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8');
/** How often each program prints the answer. */
const ANSWERS = { openai: 2, '@anthropic-ai/sdk': 1, LangChain: 2, 'Vercel AI SDK': 3 };
/** The JavaScript of the page, under the heading that it stands under. */
const SNIPPETS = PAGE.split(/^## /m).flatMap((section) => {
  const code = /^```js\n([^]*?)^```$/m.exec(section)?.[1];
  return code === undefined ? [] : [{ title: section.split('\n')[0] as keyof typeof ANSWERS, code }];
});
const ANSWER = 'It is sunny in 서울 🙂.';

let proxy: TestProxy;
beforeAll(async () => {
  proxy = await startProxy((request) => {
    const id = `answer_${request.n}`;
    if (!request.body.tools || resultsOf(request).length > 0) return { id, text: ANSWER };
    return { id, toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"서울"}' }] };
  });
});
afterAll(() => proxy.stop());

test('the page has a program for each library', () => {
  expect(SNIPPETS.map(({ title }) => title)).toEqual(Object.keys(ANSWERS));
});

test.each(SNIPPETS)(verifies('L3:client-page', 'what docs/clients.md shows for $title answers'), async ({ title, code }) => {
  const argv = ['--input-type=module', '--eval', code.replaceAll('http://127.0.0.1:8002', proxy.url)];
  const env = { ...proxy.env, CODELAB_TOKEN: proxy.token };
  const { code: exit, stdout } = await run(argv, { env, cwd: fileURLToPath(new URL('.', import.meta.url)) });
  expect({ exit, lines: stdout.trim().split('\n') }).toEqual({ exit: 0, lines: Array.from({ length: ANSWERS[title] }, () => ANSWER) });
});
