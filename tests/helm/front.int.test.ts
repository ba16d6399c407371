import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { helm, LEAST, renderChart } from './render-chart.js';

const locate = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string): Promise<string> => readFile(locate(path), 'utf8');

interface Path {
  readonly path: string;
  readonly pathType: 'Exact' | 'Prefix';
  readonly backend: { readonly service: { readonly name: string } };
}
interface Ingress {
  readonly rules: readonly [{ readonly http: { readonly paths: readonly Path[] } }];
}

const readPaths = async (...settings: readonly string[]): Promise<readonly Path[]> => {
  const objects = await renderChart([...LEAST, 'ingress.enabled=true', 'ingress.host=codelab.example.com', ...settings]);
  return (objects.find(({ kind }) => kind === 'Ingress')!['spec'] as Ingress).rules[0].http.paths;
};

/** The service that a path is given to, as Kubernetes compares them: part by part, the longest first. */
const serviceOf = (paths: readonly Path[], asked: string): string | undefined =>
  paths
    .filter(({ path, pathType }) => asked === path || (pathType === 'Prefix' && asked.startsWith(`${path.replace(/\/$/, '')}/`)))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
    ?.backend.service.name.replace('release-codelab-', '');

describe.skipIf(helm === undefined)('the Ingress', () => {
  test(verifies('L3:metrics-inside', 'gives nobody the metrics, and every page, file and call to its service'), async () => {
    const paths = await readPaths();
    const pages = [...(await read('apps/console/src/shell/places.ts')).matchAll(/\{ path: '([\w-]+)'/g)].map(([, page = '']) => `/${page}`);
    expect(pages.length).toBeGreaterThan(5);
    const shown = ['/', ...pages, ...pages.map((page) => `${page}/some-id`), '/assets/index.js'];
    const programs = ['/ws', '/api/v1/sessions', '/console/sign-in', '/console/oidc/callback', '/health', '/ready'];
    for (const path of [...shown, ...programs]) expect([path, serviceOf(paths, path)]).toEqual([path, 'gateway']);
    for (const path of ['/v1/chat/completions', '/v1/models']) expect([path, serviceOf(paths, path)]).toEqual([path, 'llm-proxy']);
    for (const path of ['/metrics', '/metrics/', '/v1metrics']) expect([path, serviceOf(paths, path)]).toEqual([path, undefined]);
  });

  test('leads to no service that is not there', async () => {
    expect(serviceOf(await readPaths('gateway.enabled=false'), '/ws')).toBeUndefined();
    expect(serviceOf(await readPaths('llmProxy.enabled=false'), '/v1/models')).toBeUndefined();
  });
});

test(verifies('L3:metrics-inside', 'Caddy passes nothing on where it has not refused metrics first'), async () => {
  const files = await readdir(locate('deploy/caddy'));
  const texts = await Promise.all(files.filter((file) => !file.endsWith('.yml')).map((file) => read(`deploy/caddy/${file}`)));
  const blocks = texts.flatMap((text) =>
    [...text.matchAll(/^(\S.*) \{\n([^]*?)^\}/gm)].map(([, name = '', body = '']) => ({ name, body })),
  );
  const passing = blocks.filter(({ body }) => body.includes('reverse_proxy {'));
  expect(passing.map(({ name }) => name)).toEqual(['(gateway)', '(llm-proxy)']);
  for (const { body } of passing) expect(body).toContain('\timport without-metrics\n');
  expect(blocks.find(({ name }) => name === '(without-metrics)')?.body).toBe('\trespond /metrics 404\n\trespond /metrics/* 404\n');
});
