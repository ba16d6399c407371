import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { checkConformance, findPython, notPassed } from '../conformance-kit.js';

const PYTHON_CLIENT = fileURLToPath(new URL('../../../examples/python/codelab_executor.py', import.meta.url));
const LONGEST_MS = 600_000;

const python = findPython();
/** What takes time: its tools end at once. */
const NEEDS_COMMANDS = ['cancel.running', 'cancel.waiting', 'executor.deadline', 'executor.in-turn', 'journal.begun', 'redelivery.running'];
const title = 'the client in Python passes every check of the conformance kit for clients that needs no run_command';
const passes = async (): Promise<void> => {
  const { code, results } = await checkConformance(['--listen', '--jobs', '6', '--run', `exec '${python ?? ''}' '${PYTHON_CLIENT}'`]);
  const skipped = NEEDS_COMMANDS.map((id) => `${id} skipped: the client offers no run_command`);
  expect([code, [...notPassed(results)].sort()]).toEqual([0, skipped]);
};
if (python === undefined) test.skip(`${title} (needs Python with websockets: apt-get install python3-websockets)`, passes);
else test(verifies('L3:conformance-python', title), passes, LONGEST_MS);
