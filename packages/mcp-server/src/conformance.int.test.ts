import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { SCENARIOS } from './__fixtures__/conformance-scenarios.js';
import { findNode, openDoor, runSuite } from './__fixtures__/conformance-suite.js';
import { useServedFolder } from './__fixtures__/served-folder.js';

const folder = useServedFolder();
const found = await findNode();
if ('why' in found) process.stderr.write(`The conformance suite of MCP is skipped: ${found.why}.\n`);
const node = 'node' in found ? found.node : '';
const applying = Object.entries(SCENARIOS).flatMap(([name, { applies }]) => (applies ? [name] : []));

(node === '' ? test.skip : test)(
  verifies('L3:mcp-serve-conformance', 'the scenarios of the conformance suite are those that were looked at'),
  async () => {
    const listed = (await runSuite(node, ['list'])).split('Client scenarios')[0]!;
    const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name!);
    expect(names.sort()).toEqual(Object.keys(SCENARIOS).sort());
  },
);

(node === '' ? test.skip : test).each(applying)(
  verifies('L3:mcp-serve-conformance', 'the scenario %s of the conformance suite passes'),
  async (name) => {
    const { url } = await folder.serve();
    const door = await openDoor(url, folder.token);
    const output = await runSuite(node, ['server', '--url', door.url, '--scenario', name]);
    await door.close();
    expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed|[1-9]\d* passed, 0 failed/);
  },
);
