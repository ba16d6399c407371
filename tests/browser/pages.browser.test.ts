import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { findBarriers } from '@codelab/testkit/browser';
import { plan } from '../e2e/planned-model.js';
import { useConsole } from './use-console.js';

const used = useConsole({});
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PLACES = ['sessions', 'approvals', 'rules', 'audit', 'tools', 'tool-calls', 'usage', 'services', 'settings', 'more', 'nowhere'];

/** How much wider than the screen the page is: on a phone nothing may scroll sideways but what has a frame of its own. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

const rest = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${used.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${used.system.token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

test.each([
  ['a desktop in the dark', { colorScheme: 'dark' as const }],
  ['a phone', PHONE],
])(
  verifies('G2:console-pages', 'every page of the console has no barrier for anybody, and fits its screen: %s'),
  async (_name, options) => {
    const laptop = await used.join({ title: 'Fix the retry test' });
    await laptop.say(plan({ calls: [{ tool: 'read_file', args: { path: 'notes.txt' } }] }, { text: 'It is zero.' }));
    await rest('POST', '/rules', { scope: 'user', rule: { effect: 'allow', tool: 'run_command', command: ['npm', 'test'] } });
    const page = await used.open('/sessions', options);
    for (const place of PLACES) {
      await page.goto(`${used.url}/${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await eventually(`${place} has come`, async () => !(await page.getByText('Loading …').first().isVisible()));
      expect({ place, barriers: await findBarriers(page) }).toEqual({ place, barriers: [] });
      expect({ place, overflow: await page.evaluate<number>(OVERFLOW) }).toEqual({ place, overflow: 0 });
    }
  },
);

test(verifies('G2:console-search', 'sessions are searched by title, and found by a link that holds the search'), async () => {
  await used.join({ title: 'Upgrade the parser' });
  await used.join({ title: 'Why is it slow?' });
  const page = await used.open('/sessions');
  await page.getByRole('link', { name: 'Why is it slow?' }).waitFor();
  await page.getByLabel('Search by title, folder or id').fill('PARSER');
  await page.getByRole('link', { name: 'Why is it slow?' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Upgrade the parser' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Upgrade the parser' }).waitFor();
  expect(await page.getByRole('link', { name: 'Why is it slow?' }).count()).toBe(0);
});

test(verifies('H1:console-rule', 'a rule is made, says what it allows, counts for the servers and is removed'), async () => {
  const page = await used.open('/rules');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const form = page.getByRole('form', { name: 'Add a rule' });
  await form.getByLabel('Effect').selectOption('deny');
  await form.getByLabel('Tool').fill('write_file');
  await form.getByLabel('Limited to').selectOption('path');
  await form.getByRole('textbox', { name: 'Paths' }).fill('secrets/**');
  await form.getByRole('button', { name: 'Add the rule' }).click();
  const row = page.getByRole('article').filter({ hasText: 'secrets/**' });
  await row.waitFor();
  const { rules } = (await (await rest('GET', '/rules')).json()) as { rules: { rule: object }[] };
  expect(rules.map(({ rule }) => rule)).toContainEqual({ effect: 'deny', tool: 'write_file', path: 'secrets/**' });
  await row.getByRole('button', { name: /^Remove:/ }).click();
  await row.getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
});

test(verifies('G2:console-rule-refused', 'a rule that the gateway refuses stays in the form, with what is wrong with it'), async () => {
  const page = await used.open('/rules');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Tool').fill('no_such_tool');
  await page.getByLabel('Limited to').selectOption('host');
  await page.getByRole('textbox', { name: 'Host' }).fill('not a host');
  await page.getByRole('button', { name: 'Add the rule' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('Tool').inputValue()).toBe('no_such_tool');
});

test(verifies('L1:console-health', 'health shows every service ready, and what each was started with'), async () => {
  const page = await used.open('/services');
  const table = page.getByRole('table', { name: 'Services' });
  for (const service of ['gateway', 'agent-runtime', 'llm-proxy'])
    await table.getByRole('row').filter({ hasText: service }).getByText('ready', { exact: true }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'gateway' }).waitFor();
  expect(await page.getByRole('main').textContent()).not.toContain(used.system.token);
});

test(verifies('G2:console-missing', 'a page whose files do not come says so, and is there once everything is loaded anew'), async () => {
  const page = await used.open('/sessions');
  await page.route(/rules-page.*js$/, (route) => route.abort());
  await page.getByRole('navigation').getByRole('link', { name: 'Rules' }).click();
  await page.getByRole('heading', { name: 'This page did not load' }).waitFor();
  await page.unroute(/rules-page.*js$/);
  used.browser.takeProblems(); // what the browser says of the file
  await page.getByRole('button', { name: 'Load everything anew' }).click();
  await page.getByRole('heading', { name: 'Rules' }).waitFor();
});
