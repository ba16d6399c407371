import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parse } from 'yaml';
import { checkObject, type KubeObject } from './check-object.js';
import { helm, LEAST, renderChart } from './render-chart.js';

interface Rule {
  readonly ports: readonly { readonly protocol?: string; readonly port: number | string }[];
  readonly to?: readonly object[];
}
interface Policy {
  readonly ingress: readonly { readonly from: readonly object[]; readonly ports: Rule['ports'] }[];
  readonly egress: readonly Rule[];
}

const SERVICES = ['gateway', 'agent-runtime', 'llm-proxy'] as const;
type Service = (typeof SERVICES)[number];
type Table = Readonly<Partial<Record<Service, readonly string[]>>>;

/** Peers as the tables below write them; others stand there as JSON. */
const NAMES: Readonly<Record<string, string>> = {
  '{"namespaceSelector":{}}': 'cluster',
  '{"ipBlock":{"cidr":"0.0.0.0/0"}}': 'world',
  '{"ipBlock":{"cidr":"0.0.0.0/0","except":["169.254.0.0/16"]}}': 'world',
  '{"ipBlock":{"cidr":"::/0"}}': 'world',
  '{"podSelector":{"matchLabels":{"app":"ingress"}}}': 'ingress',
  '{"podSelector":{"matchLabels":{"app":"prometheus"}}}': 'prometheus',
  '{"podSelector":{"matchLabels":{"app":"redis"}}}': 'redis',
  '{"podSelector":{"matchLabels":{"app":"ollama"}}}': 'ollama',
};
const nameOf = (peer: object): string => NAMES[JSON.stringify(peer)] ?? JSON.stringify(peer);
const peersOf = (peers: readonly object[] | undefined): string => [...new Set((peers ?? []).map(nameOf))].join(', ') || 'anywhere';

/** A rule as `peers: ports`, without that for DNS, which every pod has. */
const rulesOf = ({ egress }: Policy): readonly string[] => {
  const [dns, ...others] = egress.map(({ ports, to }) => `${peersOf(to)}: ${ports.map(({ port }) => port).join(' ')}`);
  expect(dns).toBe('anywhere: 53 53');
  return others;
};

const policiesOf = (objects: readonly KubeObject[]): ReadonlyMap<string, Policy> =>
  new Map(
    objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ metadata, spec }) => [metadata.labels?.['app.kubernetes.io/component'] ?? '', spec as Policy]),
  );
const readPolicies = async (settings: readonly string[]): Promise<ReadonlyMap<string, Policy>> => {
  const policies = policiesOf(await renderChart(settings));
  expect([...policies.keys()].toSorted()).toEqual(SERVICES.toSorted());
  return policies;
};

const WITH_TOKENS = 'secrets.CODELAB_TOKENS=t=a/b';
const WEB = 'world: 443';
const everyone = (...rules: readonly string[]): Table => ({
  gateway: rules,
  'agent-runtime': [...rules, WEB],
  'llm-proxy': [...rules, WEB],
});
const OLLAMA = [
  'networkPolicy.egress[0].to[0].podSelector.matchLabels.app=ollama',
  'networkPolicy.egress[0].ports[0].port=11434',
  'networkPolicy.egress[0].ports[0].protocol=TCP',
];

/** What each service reaches. */
const OUT: readonly (readonly [what: string, settings: readonly string[], expected: Table])[] = [
  ['one Redis', LEAST, everyone('anywhere: 6379')],
  ['one Redis on a port of its own', [WITH_TOKENS, 'redis.url=rediss://:p%40ss@redis:6380/2'], everyone('anywhere: 6380')],
  ['a Redis by its IPv6 address', [WITH_TOKENS, 'redis.url=redis://[::1]'], everyone('anywhere: 6379')],
  ['Sentinel on the usual ports', [WITH_TOKENS, 'redis.url=redis+sentinel://a\\,b:26380/name'], everyone('anywhere: 26379 26380 6379')],
  ['Sentinel by TLS', [WITH_TOKENS, 'redis.url=rediss+sentinel://u:p@a/name?sentinelPassword=x@y'], everyone('anywhere: 26379 6379')],
  [
    'Sentinel, and where its servers are',
    [WITH_TOKENS, 'redis.url=redis+sentinel://a/name', 'redis.ports={6390}'],
    everyone('anywhere: 26379 6390'),
  ],
  [
    'a Cluster',
    [WITH_TOKENS, 'redis.url=redis+cluster://u:p@a:7000\\,b:7001\\,c:7000', 'redis.ports={7001,7002}'],
    everyone('anywhere: 7000 7001 7002'),
  ],
  ['a Redis in a Secret', ['existingSecret=mine', 'redis.ports={6400}'], everyone('anywhere: 6400')],
  ['a Redis in the cluster', [...LEAST, 'networkPolicy.redisTo[0].podSelector.matchLabels.app=redis'], everyone('redis: 6379')],
  ['sign-ins', [...LEAST, 'config.CODELAB_OIDC_ISSUER=https://issuer.example.com'], { gateway: ['anywhere: 6379', WEB] }],
  ['keys of tokens', [...LEAST, 'gateway.config.CODELAB_JWT_JWKS_URL=https://x/jwks'], { gateway: ['anywhere: 6379', WEB] }],
  ['a collector outside', [...LEAST, 'config.OTEL_EXPORTER_OTLP_ENDPOINT=https://otel.example.com'], { gateway: ['anywhere: 6379', WEB] }],
  ['a collector inside', [...LEAST, 'config.OTEL_EXPORTER_OTLP_ENDPOINT=http://otel:4318'], everyone('anywhere: 6379')],
  ['no web at all', [...LEAST, 'networkPolicy.egressPorts=null'], { 'agent-runtime': ['anywhere: 6379'], 'llm-proxy': ['anywhere: 6379'] }],
  ['another server, by all', [...LEAST, ...OLLAMA], { gateway: ['anywhere: 6379', 'ollama: 11434'] }],
  [
    'another server, by the proxies',
    [...LEAST, ...OLLAMA, 'networkPolicy.egress[0].services={llm-proxy}'],
    {
      gateway: ['anywhere: 6379'],
      'agent-runtime': ['anywhere: 6379', WEB],
      'llm-proxy': ['anywhere: 6379', WEB, 'ollama: 11434'],
    },
  ],
];

const FROM = 'networkPolicy.from[0].podSelector.matchLabels.app=ingress';
const SCRAPED = 'networkPolicy.metricsFrom[0].podSelector.matchLabels.app=prometheus';

/** Who reaches each service. */
const IN: readonly (readonly [what: string, settings: readonly string[], expected: Required<Record<Service, string>>])[] = [
  ['nothing said', [], { gateway: 'cluster', 'agent-runtime': 'nobody', 'llm-proxy': 'cluster' }],
  ['an ingress', [FROM], { gateway: 'ingress', 'agent-runtime': 'nobody', 'llm-proxy': 'ingress' }],
  ['a Prometheus', [SCRAPED], { gateway: 'cluster, prometheus', 'agent-runtime': 'prometheus', 'llm-proxy': 'cluster, prometheus' }],
  [
    'an ingress and a Prometheus',
    [FROM, SCRAPED],
    { gateway: 'ingress, prometheus', 'agent-runtime': 'prometheus', 'llm-proxy': 'ingress, prometheus' },
  ],
  [
    'a balancer before the gateway',
    ['gateway.service.type=LoadBalancer'],
    { gateway: 'cluster, world', 'agent-runtime': 'nobody', 'llm-proxy': 'cluster' },
  ],
  [
    'a port of the nodes for the proxy',
    ['llmProxy.service.type=NodePort', SCRAPED],
    { gateway: 'cluster, prometheus', 'agent-runtime': 'prometheus', 'llm-proxy': 'cluster, world, prometheus' },
  ],
  [
    'a balancer, for some',
    ['gateway.service.type=LoadBalancer', FROM],
    { gateway: 'ingress', 'agent-runtime': 'nobody', 'llm-proxy': 'ingress' },
  ],
];

describe.skipIf(helm === undefined)('the network of the chart', () => {
  test.each(OUT)(verifies('L3:helm-network', 'each pod reaches what its service needs: %s'), async (_, settings, expected) => {
    const policies = await readPolicies(settings);
    for (const [service, rules] of Object.entries(expected)) expect([service, rulesOf(policies.get(service)!)]).toEqual([service, rules]);
  });

  test.each(IN)(verifies('L3:helm-network', 'each pod is reached by whom the values name: %s'), async (_, settings, expected) => {
    const policies = await readPolicies([...LEAST, ...settings]);
    const found = SERVICES.map((service) => {
      const { ingress } = policies.get(service)!;
      for (const { ports } of ingress) expect(ports).toEqual([{ protocol: 'TCP', port: 'http' }]);
      return [service, ingress.length === 0 ? 'nobody' : ingress.map(({ from }) => peersOf(from)).join('; ')];
    });
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  test('the rules that README shows are what the API knows, each for its services', async () => {
    const readme = await readFile(fileURLToPath(new URL('../../deploy/helm/codelab/README.md', import.meta.url)), 'utf8');
    const [, shown = ''] = /```yaml\n(networkPolicy:\n[^]*?)```/.exec(readme) ?? [];
    const values = parse(shown) as { readonly networkPolicy: { readonly egress: readonly object[] } };
    const objects = await renderChart(LEAST, [`networkPolicy.egress=${JSON.stringify(values.networkPolicy.egress)}`]);
    expect((await Promise.all(objects.map(checkObject))).flat()).toEqual([]);
    const ports = [...policiesOf(objects)].map(([service, policy]) => [service, rulesOf(policy).map((rule) => rule.replace(/.*: /, ''))]);
    expect(Object.fromEntries(ports)).toEqual({
      gateway: ['6379', '8443', '4318'],
      'agent-runtime': ['6379', '443', '3000', '4318'],
      'llm-proxy': ['6379', '443', '8000 11434', '8443', '4318'],
    });
  });
});
