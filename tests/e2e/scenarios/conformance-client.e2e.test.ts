import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { checkConformance, notPassed } from '../conformance-kit.js';
import { CLI } from '../start-system.js';

const BUNDLE = fileURLToPath(new URL('../../../scripts/bundle-program.mjs', import.meta.url));
const LONGEST_MS = 600_000;

const own =
  `CODELAB_DATA_DIR="$CODELAB_STATE" XDG_CONFIG_HOME="$CODELAB_STATE/config" exec '${process.execPath}' '${CLI}' exec --url "$CODELAB_URL" ` +
  '--token "$CODELAB_TOKEN" --workspace "$CODELAB_WORKSPACE" --session "$CODELAB_SESSION" --approve "$CODELAB_APPROVE" "$CODELAB_MESSAGE"';

const SDK_EXECUTOR = fileURLToPath(new URL('../sdk-executor.mjs', import.meta.url));

test(
  verifies('L3:conformance-own-client', 'our own client passes every check of the conformance kit for clients'),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'codelab-sdk-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const program = join(folder, 'sdk-executor.mjs');
    await promisify(execFile)(process.execPath, [BUNDLE, SDK_EXECUTOR, program]);
    const { code, results } = await checkConformance(['--listen', '--jobs', '6', '--run', `exec '${process.execPath}' '${program}'`]);
    expect([code, notPassed(results)]).toEqual([0, []]);
  },
  LONGEST_MS,
);

// It loads much more, for each check anew: what depends on it is checked, all of it by hand.
test(
  verifies('L3:conformance-own-command', 'codelab exec passes what depends on its journal'),
  async () => {
    const { code, results } = await checkConformance(['--listen', '--only', 'journal', '--run', own]);
    expect([code, notPassed(results)]).toEqual([0, []]);
  },
  LONGEST_MS,
);
