import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { checkConformance, findPython, notPassed } from '../conformance-kit.js';
import { CLI } from '../start-system.js';

const PYTHON_CLIENT = fileURLToPath(new URL('../../../examples/python/codelab_executor.py', import.meta.url));
const LONGEST_MS = 600_000;

const own =
  `CODELAB_DATA_DIR="$CODELAB_STATE" XDG_CONFIG_HOME="$CODELAB_STATE/config" exec '${process.execPath}' '${CLI}' exec --url "$CODELAB_URL" ` +
  '--token "$CODELAB_TOKEN" --workspace "$CODELAB_WORKSPACE" --session "$CODELAB_SESSION" --approve "$CODELAB_APPROVE" "$CODELAB_MESSAGE"';

const sdk = `exec '${process.execPath}' '${fileURLToPath(new URL('../sdk-executor.mjs', import.meta.url))}'`;

test(
  verifies('L3:conformance-own-client', 'our own client passes every check of the conformance kit for clients'),
  async () => {
    const { code, results } = await checkConformance(['--listen', '--run', sdk]);
    expect([code, notPassed(results)]).toEqual([0, []]);
  },
  LONGEST_MS,
);

// It loads ten times as much, for each check anew: what depends on it is checked, all of it by hand.
test(
  verifies('L3:conformance-own-command', 'codelab exec passes what depends on its journal'),
  async () => {
    const { code, results } = await checkConformance(['--listen', '--only', 'journal', '--run', own]);
    expect([code, notPassed(results)]).toEqual([0, []]);
  },
  LONGEST_MS,
);

const python = findPython();
/** What takes time: its tools end at once. */
const NEEDS_COMMANDS = ['cancel.running', 'cancel.waiting', 'executor.deadline', 'executor.in-turn', 'journal.begun', 'redelivery.running'];
const title = 'the client in Python passes every check of the conformance kit for clients that needs no run_command';
const passes = async (): Promise<void> => {
  const { code, results } = await checkConformance(['--listen', '--run', `exec '${python ?? ''}' '${PYTHON_CLIENT}'`]);
  const skipped = NEEDS_COMMANDS.map((id) => `${id} skipped: the client offers no run_command`);
  expect([code, [...notPassed(results)].sort()]).toEqual([0, skipped]);
};
if (python === undefined) test.skip(`${title} (needs Python with websockets: apt-get install python3-websockets)`, passes);
else test(verifies('L3:conformance-python', title), passes, LONGEST_MS);
