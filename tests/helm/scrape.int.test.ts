import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parse } from 'yaml';
import type { KubeObject } from './check-object.js';
import { relabel, type RelabelRule } from './relabel.js';
import { helm, LEAST, renderChart } from './render-chart.js';

const read = async (path: string): Promise<unknown> =>
  parse(await readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8'));

type Labels = Readonly<Record<string, string>>;
interface Deployment {
  readonly template: {
    readonly metadata: { readonly labels: Labels };
    readonly spec: { readonly containers: readonly { readonly ports: readonly { readonly name: string }[] }[] };
  };
}
interface PodMonitor {
  readonly selector: { readonly matchLabels: Labels };
  readonly podMetricsEndpoints: readonly [{ readonly port: string; readonly path: string; readonly relabelings: readonly Relabeling[] }];
}
interface Relabeling {
  readonly sourceLabels: readonly string[];
  readonly targetLabel: string;
  readonly replacement: string;
}

/** What service discovery says of a pod's ports, before rules: its labels with names as Prometheus writes them. */
const targetsOf = ({ template }: Deployment, job: string): readonly Labels[] => {
  const labels = Object.entries(template.metadata.labels).map(([name, value]) => [
    `__meta_kubernetes_pod_label_${name.replaceAll(/\W/g, '_')}`,
    value,
  ]);
  return template.spec.containers.flatMap(({ ports }) =>
    ports.map(({ name }) => ({ job, __meta_kubernetes_pod_container_port_name: name, ...(Object.fromEntries(labels) as Labels) })),
  );
};

const render = async (...settings: readonly string[]): Promise<readonly KubeObject[]> =>
  renderChart([...LEAST, 'networkPolicy.metricsFrom[0].podSelector.matchLabels.app=prometheus', ...settings]);
const deploymentsOf = (objects: readonly KubeObject[]): readonly Deployment[] =>
  objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec as Deployment);

/** The jobs that `CodelabServiceDown` looks at. */
const { groups } = (await read('deploy/prometheus/alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
const watched = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'CodelabServiceDown');
const JOBS = new RegExp(`^(?:${/job=~"([^"]+)"/.exec(watched?.expr ?? '')?.[1] ?? ''})$`);

const EXPECTED = ['codelab-agent-runtime', 'codelab-gateway', 'codelab-llm-proxy'];

describe.skipIf(helm === undefined)('a scrape of the chart', () => {
  test(verifies('L3:helm-scrape', 'by the operator finds each pod once, under the job that the alerts ask for'), async () => {
    const objects = await render('podMonitor.enabled=true', 'podMonitor.labels.release=prometheus');
    const [monitor, ...more] = objects.filter(({ kind }) => kind === 'PodMonitor');
    expect(more).toEqual([]);
    expect(monitor!.metadata.labels).toMatchObject({ release: 'prometheus' });
    const { selector, podMetricsEndpoints } = monitor!['spec'] as PodMonitor;
    const [{ port, path, relabelings }] = podMetricsEndpoints;
    expect(path).toBe('/metrics');
    const rules = relabelings.map(({ sourceLabels, targetLabel, ...others }) => ({
      ...others,
      source_labels: sourceLabels,
      target_label: targetLabel,
    }));
    const chosen = deploymentsOf(objects).filter(({ template }) =>
      Object.entries(selector.matchLabels).every(([name, value]) => template.metadata.labels[name] === value),
    );
    const jobs = chosen.flatMap((deployment) =>
      targetsOf(deployment, 'here/release-codelab')
        .filter((labels) => labels['__meta_kubernetes_pod_container_port_name'] === port)
        .map((labels) => relabel(labels, rules)?.['job'] ?? ''),
    );
    expect(jobs.toSorted()).toEqual(EXPECTED);
    for (const job of jobs) expect(job).toMatch(JOBS);
  });

  test(
    verifies('L3:helm-scrape', 'by the example finds each pod once, under the job that the alerts ask for, and no other pod'),
    async () => {
      const { scrape_configs } = (await read('deploy/prometheus/scrape.yml')) as {
        scrape_configs: { job_name: string; relabel_configs: RelabelRule[] }[];
      };
      expect(scrape_configs).toHaveLength(1);
      const { job_name, relabel_configs } = scrape_configs[0]!;
      const jobsOf = (deployments: readonly Deployment[]): readonly string[] =>
        deployments
          .flatMap((deployment) => targetsOf(deployment, job_name))
          .flatMap((labels) => relabel(labels, relabel_configs)?.['job'] ?? []);
      const deployments = deploymentsOf(await render());
      expect(jobsOf(deployments).toSorted()).toEqual(EXPECTED);
      for (const job of EXPECTED) expect(job).toMatch(JOBS);
      const strangers = deployments.map(({ template: { spec } }) => ({ template: { spec, metadata: { labels: { app: 'other' } } } }));
      expect(jobsOf(strangers)).toEqual([]);
    },
  );

  test('without a word there is no PodMonitor, whose kind a cluster may not know', async () => {
    expect((await render()).map(({ kind }) => kind)).not.toContain('PodMonitor');
  });
});
