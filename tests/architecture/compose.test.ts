import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parse } from 'yaml';

interface Service {
  readonly image?: string;
  readonly build?: { readonly args: Readonly<Record<string, string | null>> };
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly ports?: readonly string[];
}

const read = (path: string): Promise<string> => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const { services } = parse(await read('docker-compose.yml'), { merge: true }) as { services: Readonly<Record<string, Service>> };

/** What a container decides by itself: where it listens and keeps its files. The ports that are published are settings of the proxy before it. */
const OF_THE_IMAGE = ['HOST', 'GATEWAY_PORT', 'RUNTIME_PORT', 'LLM_PROXY_PORT', 'CODELAB_DATA_DIR', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'];

/** The rows of the reference: `| \`NAME\` | … | gateway, llm-proxy |`. */
const settings = [...(await read('docs/reference/config.md')).matchAll(/^\| `(\w+)` \|.*\| ([^|]+) \|$/gm)].map(
  ([, name = '', readers = '']) => ({
    name,
    readers: readers.split(', ').filter((reader) => reader in services),
  }),
);

test(verifies('G2:compose-settings', 'every setting of a service can be set in compose'), () => {
  const missing = settings
    .filter(({ name }) => !OF_THE_IMAGE.includes(name))
    .flatMap(({ name, readers }) =>
      readers.filter((reader) => !(name in (services[reader]?.environment ?? {}))).map((reader) => `${reader}: ${name}`),
    );
  expect(missing).toEqual([]);
  expect(settings.length).toBeGreaterThan(40);
});

test('compose sets nothing that no service reads', () => {
  const known = (service: string) => settings.filter(({ readers }) => readers.includes(service)).map(({ name }) => name);
  const unknown = ['gateway', 'agent-runtime', 'llm-proxy'].flatMap((service) =>
    Object.keys(services[service]?.environment ?? {})
      .filter((name) => !known(service).includes(name.replace(/_FILE$/, '')) && !known(service).includes(name))
      .map((name) => `${service}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('images of others are named by digest, and the same everywhere', async () => {
  const digest = /^[\w.-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;
  const standard = (text: string | null | undefined) => /^\$\{\w+:-(.*)\}$/.exec(text ?? '')?.[1] ?? text ?? '';
  for (const { image, build } of Object.values(services)) expect(standard(build ? build.args['NODE_IMAGE'] : image)).toMatch(digest);
  const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(await read('Dockerfile')) ?? [];
  expect(standard(services['gateway']?.build?.args['NODE_IMAGE'])).toBe(base);
});

test('only the proxy is reached from outside', () => {
  expect(Object.entries(services).flatMap(([name, { ports }]) => (ports ? [name] : []))).toEqual([]); // its own are in deploy/caddy
});
