import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { eventually, startOidcProvider, verifies, type OidcProvider } from '@codelab/testkit';
import { findBarriers } from '@codelab/testkit/browser';
import { askChat } from '../e2e/ask-proxy.js';
import { plan } from '../e2e/planned-model.js';
import { startEverything, type Everything } from '../e2e/start-everything.js';
import { useConsole } from './use-console.js';

let provider: OidcProvider;
let everything: Everything;
let folder: string;
afterAll(async () => {
  await Promise.all([provider.close(), everything.stop(), rm(folder, { recursive: true })]);
});

/** Dollars per million tokens: each request of the model with plans has 10 tokens of input and 5 of output. */
const PRICE = { input: 10_000, output: 20_000 };

const used = useConsole(
  {
    'show a picture': [
      { calls: [{ tool: 'mcp__everything__get-annotated-message', args: { messageType: 'success', includeImage: true } }] },
      { text: 'It is tiny.' },
    ],
  },
  {
    env: async (modelUrl) => {
      [provider, everything, folder] = await Promise.all([
        startOidcProvider(),
        startEverything(),
        mkdtemp(join(tmpdir(), 'codelab-insight-')),
      ]);
      const [models, tools] = [join(folder, 'models.json'), join(folder, 'tools.json')];
      const upstreams = { scripted: { type: 'openai', base_url: modelUrl, api_key_env: 'OPENAI_API_KEY' } };
      await writeFile(models, JSON.stringify({ upstreams, models: { 'gpt-test': { upstream: 'scripted', price: PRICE } } }));
      await writeFile(
        tools,
        JSON.stringify({ mcp_servers: { everything: { url: everything.url }, away: { url: 'http://127.0.0.1:9/mcp' } } }),
      );
      return {
        ...{ CODELAB_MODELS_FILE: models, CODELAB_TOOLS_FILE: tools },
        ...{ CODELAB_OIDC_ISSUER: provider.url, CODELAB_OIDC_CLIENT_ID: provider.clientId, CODELAB_OIDC_NAME: 'Harbour ID' },
        ...{ CODELAB_OIDC_CLIENT_SECRET: provider.clientSecret, CODELAB_JWT_ISSUER: provider.url },
        ...{ CODELAB_JWT_AUDIENCE: provider.clientId, CODELAB_JWT_JWKS_URL: `${provider.url}/jwks` },
      };
    },
  },
);

/** Waits until the first plot whose name begins so has more than its lines and names: so many pixels are not empty. */
const drawn = async (page: Page, label: string): Promise<unknown> => {
  const canvas = `[role=img][aria-label^=${JSON.stringify(label)}] canvas`;
  await page.locator(canvas).first().waitFor();
  return eventually(`${label} is drawn`, () =>
    page.evaluate<boolean>(`(() => {
      const canvas = document.querySelector(${JSON.stringify(canvas)});
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, at) => at % 4 === 3 && value > 0).length > 1_000;
    })()`),
  );
};

test(verifies('G1:console-oidc', 'a person signs in by the button of their provider, is who it says, and is where they were'), async () => {
  const page = await used.browser.open(`${used.url}/rules`);
  await page.getByRole('link', { name: 'Continue with Harbour ID' }).click();
  await page.getByRole('heading', { name: 'Rules' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/rules');
  await page.getByText('carol').first().waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'For those who run the services' }).waitFor();
  provider.next({ error: 'access_denied' });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Continue with Harbour ID' }).click();
  await page.getByRole('alert').getByText('refused the sign-in').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test(
  verifies('L3:images-shown', 'a picture that came of a call is shown in its card, live and after a reload, and its bytes are in no view'),
  async () => {
    const { sessionId } = await used.join({ title: 'A picture' });
    const page = await used.open(`/sessions/${sessionId}`);
    await page.getByLabel('Your message').fill('show a picture');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.cl-approval[data-armed]').getByRole('button', { name: 'Approve' }).click();
    const picture = page.getByRole('img', { name: 'Picture 1 of 1' });
    await picture.waitFor();
    await page.getByText('It is tiny.').first().waitFor();
    await page.reload();
    await picture.waitFor();
    expect(await page.evaluate<number>(`document.querySelector('.cl-image img').naturalWidth`)).toBeGreaterThan(1);
    expect(await picture.getAttribute('src')).toMatch(/^blob:/);
    await page.getByRole('button', { name: 'Picture 1 of 1: show it large' }).click();
    expect(await findBarriers(page)).toEqual([]);
    const history = await (await ask(`/sessions/${sessionId}/history`)).text();
    expect(history).toMatch(/"images":\[\{"media_type":"image\/png","bytes":\d+\}\]/);
    expect(history).not.toContain('iVBOR');
  },
);

const ask = (path: string): Promise<Response> =>
  fetch(`${used.url}/api/v1${path}`, { headers: { authorization: `Bearer ${used.system.token}` } });

test(
  verifies('G2:console-tools', 'the tools that a model can be given stand with where they come from, and MCP servers with how they are'),
  async () => {
    const page = await used.open('/tools');
    const servers = page.getByRole('table', { name: 'MCP servers' });
    await servers.getByRole('row').filter({ hasText: 'everything' }).getByText('connected').waitFor();
    await page.getByLabel('Search names and descriptions').fill('tiny');
    const tool = page.getByRole('list', { name: 'Tools' }).getByRole('listitem');
    await eventually('one is left', async () => (await tool.count()) === 1);
    await tool.getByText('mcp__everything__get-tiny-image').click();
    await tool.getByText('"type": "object"').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  },
);

test(verifies('G2:console-calls', 'each call that a program had the servers make has a row, and is found by its tool'), async () => {
  await used.join();
  const messages = [{ role: 'user', content: plan({ calls: [{ tool: 'read_file', args: { path: 'notes.txt' } }] }, { text: 'Zero.' }) }];
  const program = { url: used.system.proxies[0]?.url ?? '', token: used.system.token };
  const answer = await askChat({ messages, use_ide_tools: true, tool_execution: 'auto' }, program);
  expect(answer.body.choices[0]).toMatchObject({ message: { content: 'Zero.' } });
  const page = await used.open('/tool-calls');
  const row = page.getByRole('table', { name: 'Tool calls' }).getByRole('row').filter({ hasText: 'read_file' }).first();
  await eventually('it is counted', async () => {
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    return row.isVisible();
  });
  await row.getByText('ok', { exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel('Tool', { exact: true }).fill('no_such_tool');
  await page.getByText('No call that matches.').waitFor();
});

test(verifies('G2:console-usage', 'tokens and cost are drawn by day, and stand in a table by model, by key and by day'), async () => {
  await (await used.join()).say(plan({ text: 'done' }));
  const page = await used.open('/usage?by=model');
  const row = page.getByRole('row').filter({ hasText: 'gpt-test' }).first();
  await eventually('the usage is counted', async () => {
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    return row.isVisible();
  });
  await row.getByText(/^\$\d+\.\d\d$/).waitFor();
  for (const label of ['Tokens by day', 'Cost by day']) await drawn(page, label);
  await page.getByRole('combobox', { name: /^By/ }).selectOption('day');
  await page
    .getByRole('table', { name: 'Usage by day' })
    .getByRole('cell', { name: new Date().toISOString().slice(0, 10) })
    .waitFor();
  await page.getByRole('combobox', { name: /^By/ }).selectOption('key');
  await page.getByRole('table', { name: 'Usage by key' }).getByText(/\//).first().waitFor();
  await page.goto(`${used.url}/services`);
  await page.getByRole('table', { name: 'Latencies' }).getByRole('row').nth(1).waitFor({ timeout: 30_000 });
  await drawn(page, 'gateway');
});

test(verifies('G2:console-audit', 'the audit page finds rows by outcome and by words, at the gateway'), async () => {
  const laptop = await used.join();
  await laptop.say(plan({ calls: [{ tool: 'write_file', args: { path: 'late.txt', content: 'x' } }] }, { text: 'Written.' }));
  const page = await used.open('/audit?outcome=asked');
  const rows = page.getByRole('table', { name: 'Audit' }).getByRole('row');
  await eventually('it is on record', async () => {
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    return rows.filter({ hasText: 'late.txt' }).first().isVisible();
  });
  const asked = page.waitForRequest(/\/api\/v1\/audit\?.*outcome=asked.*query=nothing/);
  await page.getByLabel('Search tools, targets, reasons and names').fill('nothing of the kind');
  await asked;
  await page.getByText('Nothing that matches').waitFor();
  await page.goto(`${used.url}/audit?outcome=expired`);
  await page.getByText('Nothing that matches').waitFor();
});
