import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { startChat } from '../start-chat.js';
import { runCommand, startSystem, type System } from '../start-system.js';

/** A site, and beside it a SearXNG: both of the operator's own network. */
let site: Server;
let origin: string;
let asked: string[] = [];
let system: System;
let repository: Repository;

const PAGE = `<!doctype html><html><head><title>Limits | Harbour API</title></head><body><nav><a href="/">Home</a></nav><main><h1>Limits</h1>
<p>A key may ask <strong>600</strong> times an hour; the answer to the next question is 429.</p>
<table><tr><th>Plan</th><th>Questions</th></tr><tr><td>free</td><td>600</td></tr></table></main></body></html>`;

beforeAll(async () => {
  site = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '', origin);
    if (pathname === '/limits') return response.setHeader('content-type', 'text/html').end(PAGE);
    if (pathname !== '/search') return response.writeHead(404).end();
    const results = [{ title: 'Limits', url: `${origin}/limits`, content: 'A key may ask 600 times an hour.' }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ query: searchParams.get('q'), results }));
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${String((site.address() as AddressInfo).port)}`;
  system = await startSystem({
    env: {
      ...{ CODELAB_VOCABULARY: 'auto', CODELAB_MODEL: 'offline' },
      ...{ CODELAB_EGRESS_ALLOW: new URL(origin).host, CODELAB_SEARCH_PROVIDER: 'searxng', CODELAB_SEARCH_URL: origin },
    },
  });
  repository = await makeRepository({ extra: {} });
});
afterAll(async () => {
  await Promise.all([system.stop(), repository.remove()]);
  site.closeAllConnections();
  await new Promise((done) => site.close(done));
});
beforeEach(() => {
  asked = [];
});

/** What the built-in model says to a request, in a vocabulary. */
async function say(
  request: string,
  vocabulary: string,
  approve = 'all',
): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const session = randomUUID();
  const created = await fetch(`${system.gateways[0]?.url ?? ''}/api/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id: session, vocabulary }),
  });
  expect(created.status).toBe(201);
  const target = ['--workspace', repository.root, '--url', system.gateways[0]?.ws ?? '', '--token', system.token, '--session', session];
  return runCommand(['exec', ...target, '--approve', approve, request], { env: system.env });
}

test(
  verifies('H1:web-asked', 'a page is fetched by the servers once a human at the client allowed it, and cited in the answer'),
  async () => {
    const chat = await startChat(system, { root: repository.root });
    try {
      chat.say(`fetch ${origin}/limits`);
      await chat.shows(/Approval needed/);
      expect(asked).toEqual([]); // not even robots.txt
      await chat.decide(/limits/, 'a');
      await chat.shows(/A key may ask[^]*600/);
      expect(chat.history()).toContain('Limits');
      expect(asked).toEqual(['/robots.txt', '/limits']);
      chat.say(`fetch ${origin}/limits`);
      await chat.decide(/Approval needed/, 'r');
      await chat.shows('why not?');
      chat.press('enter');
      await chat.shows(/you rejected it/);
      expect(asked).toHaveLength(2);
    } finally {
      await chat.close();
    }
  },
);

test(verifies('L3:call-reasons', 'a page that is not there is shown as failed in the chat, with its reason'), async () => {
  const chat = await startChat(system, { root: repository.root });
  try {
    chat.say(`fetch ${origin}/gone`);
    await chat.decide(/Approval needed[^]*gone/, 'a');
    await chat.shows(/✗[^\n]*gone[^]*HTTP_ERROR {2}[^]*404/);
    await chat.rests();
  } finally {
    await chat.close();
  }
});

test.each(['agent', 'claude-code', 'continue'])(
  verifies(
    'L3:web-vocabularies',
    'pages and searches work in the vocabulary %s, through a SearXNG at a private address that the operator named',
  ),
  async (vocabulary) => {
    const page = await say(`fetch ${origin}/limits`, vocabulary);
    expect(page.stdout).toMatch(/\[Limits[^\]]*\]\(http:[^)]*\/limits\) says:[^]*\| free \| 600 \|/);
    const found = await say('search the web for harbour limits', vocabulary);
    expect(found.stdout).toContain(`1. Limits\n${origin}/limits\nA key may ask 600 times an hour.`);
    expect(asked.filter((url) => url.startsWith('/search'))).toEqual(['/search?q=harbour+limits&format=json']);
  },
);

test(verifies('H1:web-addresses', 'a private address that nobody listed is refused, whatever the human says'), async () => {
  const { stdout } = await say('fetch http://169.254.169.254/latest/meta-data', 'claude-code');
  expect(stdout).toContain('169.254.169.254 is a private address');
});
