#!/usr/bin/env node
/**
 * A model whose answers stop in the middle until somebody has them go on, and the one who asks it: whether what stands between passes the
 * beginning on before the end has come.
 *   held-upstream.mjs                      serves on a free port, which it prints
 *   held-upstream.mjs ask <url> <release>  asks; lets the answer go on when its beginning has come. Exits with 1 if it doesn't.
 */
/* global fetch, AbortSignal, TextDecoderStream */
import { createServer } from 'node:http';

const LONGEST_MS = 30_000;

function serve() {
  const held = new Set();
  const server = createServer((request, response) => {
    if (request.url === '/release') {
      for (const goOn of held) goOn();
      held.clear();
      response.end();
      return;
    }
    request.resume();
    const say = (delta, finish = null) =>
      `data: ${JSON.stringify({ id: 'held', object: 'chat.completion.chunk', created: 0, model: 'gpt-held', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(say({ role: 'assistant', content: 'beginning' }));
    held.add(() => response.end(`${say({ content: ' end' })}${say({}, 'stop')}data: [DONE]\n\n`));
  });
  server.listen(0, () => console.log(server.address().port)); // on every address: containers ask
}

async function ask(url, release) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-held', stream: true, messages: [{ role: 'user', content: 'hello' }] }),
    signal: AbortSignal.timeout(LONGEST_MS),
  });
  let said = '';
  let released = false;
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    if (said.includes('beginning') && !released) {
      released = true;
      await fetch(release, { method: 'POST' });
    }
  }
  if (!said.includes(' end') || !said.includes('[DONE]')) throw new Error(`HTTP ${answer.status}: ${said}`);
}

if (process.argv[2] === 'ask') await ask(process.argv[3], process.argv[4]);
else serve();
