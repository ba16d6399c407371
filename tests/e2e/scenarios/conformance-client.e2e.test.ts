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

test(
  verifies('L3:conformance-own-client', 'codelab exec passes every check of the conformance kit for clients'),
  async () => {
    const { code, results } = await checkConformance(['--listen', '--run', own]);
    expect([code, notPassed(results)]).toEqual([0, []]);
  },
  LONGEST_MS,
);

const python = findPython();
const title = 'the client in Python, written from the pages, passes every check of the conformance kit for clients';
const passes = async (): Promise<void> => {
  const { code, results } = await checkConformance(['--listen', '--run', `exec '${python ?? ''}' '${PYTHON_CLIENT}'`]);
  expect([code, notPassed(results)]).toEqual([0, []]);
};
if (python === undefined) test.skip(`${title} (needs Python with websockets: apt-get install python3-websockets)`, passes);
else test(verifies('L3:conformance-python', title), passes, LONGEST_MS);
