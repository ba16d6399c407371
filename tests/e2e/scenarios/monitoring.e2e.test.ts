import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies, type ScriptedProvider } from '@codelab/testkit';
import { parse } from 'yaml';
import { plan, startPlannedModel } from '../planned-model.js';
import { readPromQl } from '../read-promql.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire } from '../wire-client.js';

const read = (path: string): Promise<string> => readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const rules = (parse(await read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(await read('deploy/grafana/codelab.json')) as Dashboard;
const targets = panels.flatMap(({ title, targets: own = [] }) => own.map((target) => ({ title, ...target })));

/** What a scrape adds. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };

let model: ScriptedProvider;
let system: System;
beforeAll(async () => {
  model = await startPlannedModel();
  system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
}, 60_000);
afterAll(async () => {
  await system.stop();
  await model.close();
});

/** Uses a bit of everything, so that counters have samples, and with them labels. */
async function work(): Promise<void> {
  const client = await connectWire({
    ...{ ws: system.gateways[0]?.ws ?? '', token: system.token, session: 'measured' },
    hello: { client_id: 'client-m', tools: ['read_file'] },
  });
  client.send({ type: 'nonsense' });
  client.send({ type: 'user_message', content: plan({ calls: [{ tool: 'read_file', args: { path: 'a' } }] }, { text: 'read' }) });
  const { call_id } = await client.waitForType('tool_call');
  client.send({ type: 'tool_result', call_id, result: { content: 'a', encoding: 'utf-8' } });
  await client.waitForType('turn_ended');
  const asked = await fetch(`${system.proxies[0]?.url ?? ''}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: plan({ text: 'hello' }) }] }),
  });
  expect(asked.status).toBe(200);
  await client.close();
}

/** The metrics of all services, each with the labels that its samples have. */
async function scrape(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const urls = [...system.gateways, ...system.runtimes, ...system.proxies].map(({ url }) => `${url}/metrics`);
  const texts = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
  const found = new Map<string, Set<string>>();
  for (const [, name = ''] of texts.join('\n').matchAll(/^# TYPE (\w+)/gm)) found.set(name, new Set());
  for (const [, name = '', labels = ''] of texts.join('\n').matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const known = found.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}

test(
  verifies('L3:monitoring', 'dashboards and alerts name only metrics and labels that services expose, and each alert has its runbook'),
  async () => {
    await work();
    const exposed = await eventually('the metrics of the turn', async () => {
      const found = await scrape();
      return found.get('codelab_llm_proxy_http_requests_total')?.has('outcome') && found.get('codelab_runtime_turns_total')?.has('status')
        ? found
        : undefined;
    });
    const asked = [
      ...rules.map(({ alert, expr, annotations }) => ({
        by: alert,
        expr,
        words: annotations.summary.replace(/\$labels\.(\w+)/g, '{{$1}}'),
      })),
      ...targets.map(({ title, expr, legendFormat }) => ({ by: title, expr, words: legendFormat })),
    ];
    const faults = asked.flatMap(({ by, expr, words }) => {
      const query = readPromQl(expr.replaceAll('$__rate_interval', '5m'));
      const known = query.metrics.flatMap((metric) => [...(exposed.get(metric) ?? [])]).concat(OF_PROMETHEUS.labels);
      const shown = [...words.matchAll(/\{\{ ?(\w+) ?\}\}/g)].map(([, label = '']) => label);
      return [
        ...query.metrics
          .filter((metric) => !exposed.has(metric) && !OF_PROMETHEUS.metrics.includes(metric))
          .map((metric) => `${by}: no metric ${metric}`),
        ...[...query.labels, ...shown].filter((label) => !known.includes(label)).map((label) => `${by}: no label ${label}`),
      ];
    });
    expect(faults).toEqual([]);
    expect(asked.length).toBeGreaterThan(50);
  },
);

test('each alert leads to words that say what to do', async () => {
  const anchors = [...(await read('docs/operations.md')).matchAll(/^#{2,4} (.+)$/gm)].map(
    ([, title = '']) =>
      `docs/operations.md#${title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-')}`,
  );
  for (const { alert, annotations } of rules) expect([alert, anchors]).toEqual([alert, expect.arrayContaining([annotations.runbook])]);
});

test('what is no PromQL, or asks for what is not there, is noticed', () => {
  expect(() => readPromQl('sum(rate(a[5m])')).toThrow('no PromQL');
  expect(readPromQl('sum by (le) (rate(codelab_x_bucket{code="A"}[5m])) / max(up)')).toEqual({
    metrics: ['codelab_x_bucket', 'up'],
    labels: ['le', 'code'],
  });
});
