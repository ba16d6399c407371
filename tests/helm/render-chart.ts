import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from './check-object.js';
import { findHelm } from './find-helm.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const CHART = `${ROOT}deploy/helm/codelab`;

/** Where it is undefined there is no helm, and tests of the chart are skipped. */
export const helm = await findHelm();

/** Without these the chart makes nothing. */
export const LEAST = ['redis.url=redis://redis:6379', 'secrets.CODELAB_TOKENS=t=a/b'];

export const toFlags = (settings: readonly string[]): string[] => settings.flatMap((setting) => ['--set', setting]);

/** What the chart makes of settings, written as for `--set` and `--set-json`. Rejects with the words of helm where it refuses them. */
export const renderChart = async (settings: readonly string[], jsonSettings: readonly string[] = []): Promise<readonly KubeObject[]> => {
  const json = jsonSettings.flatMap((setting) => ['--set-json', setting]);
  const { stdout } = await run(helm!, ['template', 'release', CHART, '--namespace', 'here', ...toFlags(settings), ...json]);
  return readObjects(stdout);
};

/** What a command of the documentation would install: a shell runs it in the repository as it stands, with `template` for `install`. */
export const renderCommand = async (command: string): Promise<readonly KubeObject[]> => {
  const { stdout } = await run('sh', ['-c', command.replace(/^helm install /, '"$HELM" template ')], {
    cwd: ROOT,
    env: { ...process.env, HELM: helm },
  });
  return readObjects(stdout);
};

/** What helm says once the chart is installed. */
export const renderNotes = async (settings: readonly string[]): Promise<string> => {
  const { stdout } = await run(helm!, ['install', 'release', CHART, '--namespace', 'here', '--dry-run=client', ...toFlags(settings)]);
  return stdout.split('\nNOTES:\n')[1] ?? '';
};

const readObjects = (manifests: string): readonly KubeObject[] =>
  parseAllDocuments(manifests)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
