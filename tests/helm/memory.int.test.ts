import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parse } from 'yaml';
import { helm, LEAST, renderChart } from './render-chart.js';

const read = async (path: string): Promise<unknown> =>
  parse(await readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8'));

/** The `NODE_OPTIONS` of each service. */
const optionsOf = async (settings: readonly string[]): Promise<readonly unknown[]> =>
  (await renderChart([...LEAST, ...settings]))
    .filter(({ kind }) => kind === 'ConfigMap')
    .map((map) => (map['data'] as Readonly<Record<string, unknown>>)['NODE_OPTIONS']);

const heap = (mib: number): string => `--max-old-space-size=${String(mib)}`;
const others = [heap(768), heap(768)];

describe.skipIf(helm === undefined)('the memory of a pod', () => {
  test.each([
    ['the usual limit', [], [heap(768), ...others]],
    ['in MiB', ['agentRuntime.resources.limits.memory=512Mi'], [heap(384), ...others]],
    ['with a fraction', ['agentRuntime.resources.limits.memory=1.5Gi'], [heap(1_152), ...others]],
    ['in decimal', ['agentRuntime.resources.limits.memory=2G'], [heap(1_430), ...others]],
    ['in bytes', ['agentRuntime.resources.limits.memory=4294967296'], [heap(3_072), ...others]],
    ['no limit', ['agentRuntime.resources.limits=null'], [undefined, ...others]],
    ['options of its own', ['agentRuntime.config.NODE_OPTIONS=--trace-warnings'], ['--trace-warnings', ...others]],
    ['options for all', ['config.NODE_OPTIONS=--no-deprecation'], Array.from({ length: 3 }, () => '--no-deprecation')],
  ])(verifies('L3:helm-memory', 'is used up to three quarters of its limit: %s'), async (_, settings, expected) => {
    expect(await optionsOf(settings)).toEqual(expected);
  });

  test('a number in a file of values is a limit, too', async () => {
    const objects = await renderChart(LEAST, ['gateway.resources={"limits":{"memory":4294967296}}']);
    const map = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-gateway'));
    expect(map?.['data']).toMatchObject({ NODE_OPTIONS: heap(3_072) });
  });

  test('a limit that is none is refused', async () => {
    await expect(optionsOf(['gateway.resources.limits.memory=much'])).rejects.toThrow('much is no amount of memory');
  });
});

test(verifies('L3:helm-memory', 'the alert fires below the limit, and not before a pod has used a good part of it'), async () => {
  const values = (await read('deploy/helm/codelab/values.yaml')) as Readonly<Record<string, { resources: { limits: { memory: string } } }>>;
  for (const service of ['gateway', 'agentRuntime', 'llmProxy']) expect(values[service]?.resources.limits.memory).toBe('1Gi');
  const { groups } = (await read('deploy/prometheus/alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const rule = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'CodelabMemoryHigh');
  const share = Number(/> ([\d.e]+)$/.exec(rule?.expr ?? '')?.[1]) / 2 ** 30;
  expect(share).toBeGreaterThan(0.6);
  expect(share).toBeLessThan(0.9);
});
