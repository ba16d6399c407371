import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parse } from 'yaml';
import { checkObject, type KubeObject } from './check-object.js';
import { CHART, helm, LEAST, renderChart, toFlags } from './render-chart.js';

const run = promisify(execFile);
const read = (path: string): Promise<string> => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'the least': LEAST,
  'a Secret that is there': [
    'existingSecret=mine',
    'redis.ports={6379,26379}',
    'image.registry=registry.example.com/x',
    'image.pullSecrets={key}',
  ],
  Sentinel: ['redis.url=redis+sentinel://a:26379\\,b:26379/codelab', 'config.CODELAB_JWT_ISSUER=https://issuer.example.com'],
  'a Cluster, files and an ingress': [
    ...['redis.url=redis+cluster://a:7000\\,b:7000', 'secrets.CODELAB_TOKENS=t=a/b', 'modelsFile=models: {}', 'toolsFile=secrets: {}'],
    ...['ingress.enabled=true', 'ingress.host=codelab.example.com', 'ingress.tlsSecret=tls', 'ingress.className=nginx'],
    ...[
      'llmProxy.secretKeys={MY_KEY}',
      'llmProxy.config.LLM_PROXY_CONCURRENCY=64',
      'config.LOG_LEVEL=debug',
      'trustedProxies={10.0.0.0/8}',
    ],
    ...[
      'gateway.nodeSelector.disk=fast',
      'networkPolicy.from[0].podSelector.matchLabels.app=ingress',
      'networkPolicy.redisTo[0].podSelector.matchLabels.app=redis',
    ],
  ],
  'scaled by CPU': [...LEAST, 'gateway.autoscaling.enabled=true'],
  'scaled by KEDA': [
    ...LEAST,
    'keda.enabled=true',
    'keda.prometheusUrl=http://prometheus:9090',
    'networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name=monitoring',
  ],
  'as little as may be': [
    ...LEAST,
    'networkPolicy.enabled=false',
    'serviceAccount.create=false',
    'gateway.enabled=false',
    'drainTimeoutMs=60500',
    'preStopSeconds=10',
  ],
};

/** A key that a models file names, and what Node.js itself reads. */
const OF_NO_SERVICE = new Set(['MY_KEY', 'NODE_OPTIONS']);

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly securityContext: object;
    readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
    readonly env: readonly { readonly name: string }[];
    readonly livenessProbe: object;
    readonly readinessProbe: object;
  }[];
}

const podsOf = (objects: readonly KubeObject[]): readonly (readonly [service: string, pod: PodSpec])[] =>
  objects
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }) => [
      metadata.labels?.['app.kubernetes.io/component'] ?? '',
      (spec as { readonly template: { readonly spec: PodSpec } }).template.spec,
    ]);

describe.skipIf(helm === undefined)('the Helm chart', () => {
  test.each(Object.entries(SETTINGS))(
    verifies('L3:helm', 'is fine for helm, and all that it makes is what the Kubernetes API knows: %s'),
    async (_, settings) => {
      await run(helm!, ['lint', '--strict', CHART, ...toFlags(settings)]);
      const objects = await renderChart(settings);
      expect((await Promise.all(objects.map(checkObject))).flat()).toEqual([]);
      expect(objects.length).toBeGreaterThan(5);
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const [service, pod] of podsOf(objects)) expect([service, checkPod(pod, settings)]).toEqual([service, []]);
    },
  );

  test('gives each service its settings and secrets, and none that it does not read', async () => {
    const known = new Map(
      [...(await read('docs/reference/config.md')).matchAll(/^\| `(\w+)` \|.*\| ([^|]+) \|$/gm)].map(([, name = '', readers = '']) => [
        name,
        readers.split(', '),
      ]),
    );
    const objects = await renderChart(SETTINGS['a Cluster, files and an ingress']!);
    const given = podsOf(objects).flatMap(([service, { containers }]) => {
      const config = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith(`codelab-${service}`))!;
      return [...containers.flatMap(({ env }) => env.map(({ name }) => name)), ...Object.keys(config['data'] as object)].map(
        (name) => [service, name] as const,
      );
    });
    expect(given.filter(([service, name]) => !OF_NO_SERVICE.has(name) && !known.get(name)?.includes(service))).toEqual([]);
    expect(given).toEqual(
      expect.arrayContaining([
        ['llm-proxy', 'OPENAI_API_KEY'],
        ['llm-proxy', 'MY_KEY'],
        ['gateway', 'CODELAB_TOKENS'],
        ['llm-proxy', 'LLM_PROXY_CONCURRENCY'],
      ]),
    );
    expect(given).not.toContainEqual(['gateway', 'OPENAI_API_KEY']);
    expect(given).not.toContainEqual(['agent-runtime', 'CODELAB_TOKENS']);
  });

  test.each([
    ['no Redis', ['secrets.CODELAB_TOKENS=t=a/b'], /redis\.url is not set: name your Redis/],
    ['secrets beside a Secret', [...LEAST, 'existingSecret=mine'], /secrets and existingSecret are both set/],
    ['nobody could sign in', ['redis.url=redis://r'], /nobody could sign in: set secrets\.CODELAB_TOKENS/],
    ['no address', [...LEAST, 'redis.url=localhost'], /redis\/url|redis\.url/],
    ['a setting with a place of its own', [...LEAST, 'config.DRAIN_TIMEOUT_MS=1'], /DRAIN_TIMEOUT_MS/],
    ['a value that is not there', [...LEAST, 'gatway.replicas=3'], /gatway/],
    ['a Secret whose Redis has no port', ['existingSecret=mine'], /redis\.ports is not set: name the ports/],
    ['KEDA where nobody may scrape', [...LEAST, 'keda.enabled=true', 'keda.prometheusUrl=http://p'], /networkPolicy\.metricsFrom is empty/],
    ['a PodMonitor where nobody may scrape', [...LEAST, 'podMonitor.enabled=true'], /networkPolicy\.metricsFrom is empty/],
    ['a rule that lets everything out', [...LEAST, 'networkPolicy.egress[0].services={gateway}'], /networkPolicy.egress/],
    ['KEDA without a Prometheus', [...LEAST, 'keda.enabled=true'], /prometheusUrl/],
    ['an ingress without a host', [...LEAST, 'ingress.enabled=true'], /host/],
  ])('refuses %s, and says what is wrong', async (_, settings, words) => {
    await expect(renderChart(settings)).rejects.toThrow(words);
  });

  test('what the API does not know is noticed', async () => {
    const wrong = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: { prots: [], ports: [{ port: '80' }] } };
    expect(await checkObject(wrong)).toEqual(
      expect.arrayContaining([
        'Service.spec.prots: the API has no such field',
        'Service.spec.ports[0].port: string where the API wants number',
      ]),
    );
  });
});

test('README names every value', async () => {
  const readme = await read('deploy/helm/codelab/README.md');
  const leaves = (value: unknown, path: string): string[] =>
    typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0
      ? [path]
      : Object.entries(value).flatMap(([key, below]) => leaves(below, path === '' ? key : `${path}.${key}`));
  const named = leaves(parse(await read('deploy/helm/codelab/values.yaml')), '').map((path) =>
    path.replace(/(\.resources\.\w+)\..*/, '$1'),
  );
  expect(named.filter((path) => !readme.includes(`\`${path}\``))).toEqual([]);
});

/** Time that `close` and HTTP have to themselves after the drain. */
const CLOSE_SECONDS = 4;

/** What is missing of what every pod is promised. */
function checkPod(pod: PodSpec, settings: readonly string[]): readonly string[] {
  const valueOf = (name: string, usual: number): number =>
    Number(settings.find((setting) => setting.startsWith(`${name}=`))?.split('=')[1] ?? usual);
  const needed = valueOf('preStopSeconds', 5) + valueOf('drainTimeoutMs', 8_000) / 1_000 + CLOSE_SECONDS;
  const [container] = pod.containers;
  const { runAsNonRoot } = pod.securityContext as { readonly runAsNonRoot?: boolean };
  const { readOnlyRootFilesystem, allowPrivilegeEscalation, privileged, capabilities } = container!.securityContext as Readonly<
    Record<string, unknown>
  >;
  const checks: Readonly<Record<string, boolean>> = {
    'a token of the cluster': !pod.automountServiceAccountToken,
    'a grace period for its drain': pod.terminationGracePeriodSeconds >= needed,
    'a user without rights': runAsNonRoot === true && allowPrivilegeEscalation === false && privileged === false,
    'a root that cannot be written': readOnlyRootFilesystem === true,
    'no capabilities': JSON.stringify(capabilities) === '{"drop":["ALL"]}',
    'a preStop': container!.lifecycle.preStop.exec.command[0] === 'sleep',
    probes: container!.livenessProbe !== undefined && container!.readinessProbe !== undefined,
  };
  return Object.entries(checks).flatMap(([name, isSo]) => (isSo ? [] : [name]));
}
