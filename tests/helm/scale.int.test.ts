import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { readPromQl } from '../e2e/read-promql.js';
import type { KubeObject } from './check-object.js';
import { helm, LEAST, renderChart, renderNotes } from './render-chart.js';

const BY_CPU = ['gateway.autoscaling.enabled=true'];
const BY_WORK = [
  'keda.enabled=true',
  'keda.prometheusUrl=http://prometheus:9090',
  'networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name=monitoring',
];

interface Scaled {
  readonly scaleTargetRef: { readonly name: string };
  readonly triggers: readonly { readonly metadata: { readonly query: string } }[];
}

const specsOf = (objects: readonly KubeObject[], of: string): readonly Scaled[] =>
  objects.filter(({ kind }) => kind === of).map(({ spec }) => spec as Scaled);
const targetsOf = (objects: readonly KubeObject[], of: string): readonly string[] =>
  specsOf(objects, of).map(({ scaleTargetRef }) => scaleTargetRef.name.replace('release-codelab-', ''));

describe.skipIf(helm === undefined)('the scale of the chart', () => {
  test.each([
    ['nothing', [], [], []],
    ['CPU', BY_CPU, ['gateway'], []],
    ['work', BY_WORK, [], ['agent-runtime', 'llm-proxy']],
    ['both', [...BY_CPU, ...BY_WORK], ['gateway'], ['agent-runtime', 'llm-proxy']],
    ['CPU of a service that is not there', [...BY_CPU, 'gateway.enabled=false'], [], []],
  ])(
    verifies('L3:helm-scale', 'is decided by %s, and a Deployment names its number where nothing else does'),
    async (_, settings, byCpu, byWork) => {
      const objects = await renderChart([...LEAST, ...settings]);
      expect(targetsOf(objects, 'HorizontalPodAutoscaler')).toEqual(byCpu);
      expect(targetsOf(objects, 'ScaledObject')).toEqual(byWork);
      for (const { metadata, spec } of objects.filter(({ kind }) => kind === 'Deployment')) {
        const service = metadata.labels?.['app.kubernetes.io/component'] ?? '';
        const isScaled = [...byCpu, ...byWork].includes(service);
        expect([service, (spec as { replicas?: number }).replicas]).toEqual([service, isScaled ? undefined : 2]);
      }
    },
  );

  test('work is asked for in PromQL', async () => {
    const metrics = specsOf(await renderChart([...LEAST, ...BY_WORK]), 'ScaledObject').flatMap(({ triggers }) =>
      triggers.flatMap(({ metadata }) => readPromQl(metadata.query).metrics),
    );
    expect(metrics).toEqual([
      ...['codelab_runtime_hot_sessions', 'codelab_queue_lag_seconds'],
      ...['codelab_queue_depth', 'codelab_queue_lag_seconds'],
    ]);
  });

  test.each(['agentRuntime', 'llmProxy'])(
    verifies('L3:helm-scale', 'CPU does not scale what waits for models: %s is refused'),
    async (service) => {
      await expect(renderChart([...LEAST, `${service}.autoscaling.enabled=true`])).rejects.toThrow(/autoscaling.*enabled/s);
    },
  );

  test.each([
    ['all', [], true, true],
    ['runtimes and proxies', BY_CPU, false, true],
    ['gateways', BY_WORK, true, false],
    ['no service', [...BY_CPU, ...BY_WORK], false, false],
  ])(verifies('L3:helm-scale', 'the notes say that nothing scales %s'), async (_, settings, gateways, others) => {
    const notes = await renderNotes([...LEAST, ...settings]);
    expect(notes).toContain('CodeLab');
    expect(notes.includes('There are 2 gateways, whatever comes')).toBe(gateways);
    expect(notes.includes('Nothing scales agent-runtimes and llm-proxies')).toBe(others);
  });
});
