import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { KubeObject } from './check-object.js';
import { helm, LEAST, renderChart, renderCommand } from './render-chart.js';

const read = (path: string): Promise<string> => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** The commands of a page that install the chart, each whole, with the lines that it is continued on. */
const commandsOf = async (page: string): Promise<readonly string[]> =>
  [...(await read(page)).matchAll(/^helm install (?:.*\\\n)*.*$/gm)].map(([command]) => command);

const COMMANDS = (await Promise.all(['deploy/helm/codelab/README.md', 'docs/operations.md'].map(commandsOf))).flat();

interface Template {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly env: readonly Variable[] }[] };
}
interface Variable {
  readonly name: string;
  readonly valueFrom: { readonly secretKeyRef: { readonly name: string } };
}

const templatesOf = (objects: readonly KubeObject[]): readonly Template[] =>
  objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => (spec as { readonly template: Template }).template);
const secretsOf = (objects: readonly KubeObject[]): readonly object[] =>
  objects.filter(({ kind }) => kind === 'Secret').map(({ metadata, ...object }) => ({ [metadata.name]: object['stringData'] }));
/** The Secrets that pods read a variable from. */
const placesOf = (objects: readonly KubeObject[], variable: string): readonly string[] => [
  ...new Set(
    templatesOf(objects).flatMap(({ spec }) =>
      spec.containers.flatMap(({ env }) => env.filter(({ name }) => name === variable).map(({ valueFrom }) => valueFrom.secretKeyRef.name)),
    ),
  ),
];

describe.skipIf(helm === undefined)('installing the chart', () => {
  test.each(COMMANDS)(verifies('L3:helm-commands', 'makes what it names: %s'), async (command) => {
    const objects = await renderCommand(command);
    expect(templatesOf(objects)).toHaveLength(3);
    expect(placesOf(objects, 'CODELAB_TOKENS')).toEqual(['codelab']);
    const url = /redis\.url='(\S+)'/.exec(command)?.[1]?.replaceAll('\\,', ',');
    expect(secretsOf(objects)).toEqual(url === undefined ? [] : [{ 'codelab-secrets': { REDIS_URL: url } }]);
    expect(placesOf(objects, 'REDIS_URL')).toEqual([url === undefined ? 'codelab' : 'codelab-secrets']);
  });

  test('there are commands, for a URL and for one that a Secret has', () => {
    expect(COMMANDS).toHaveLength(3);
    expect(COMMANDS.filter((command) => command.includes('redis.url='))).toHaveLength(1);
  });

  test(verifies('L3:helm-secrets', 'pods restart when a secret that the chart makes changes'), async () => {
    const [before, after] = await Promise.all([LEAST, [...LEAST, 'secrets.OPENAI_API_KEY=k']].map((settings) => renderChart(settings)));
    const sums = [before!, after!].map((objects) => templatesOf(objects).map(({ metadata }) => metadata.annotations['checksum/secret']));
    for (const [at, sum] of sums[0]!.entries()) {
      expect(sum).toMatch(/^[0-9a-f]{64}$/);
      expect(sums[1]![at]).not.toBe(sum);
    }
  });
});
