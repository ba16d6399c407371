import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { CANONICAL_TOOLS, listChunks } from '@codelab/tools';
import { openWorkspace } from '@codelab/workspace';
import { runToolSuite, TOOL_CASES } from './run-tool-suite.js';

test(verifies('L3:tools:suite', 'the suite of tools has cases for all 18 of them'), () => {
  expect(new Set(TOOL_CASES.map(({ tool }) => tool))).toEqual(new Set(CANONICAL_TOOLS));
});

runToolSuite('the workspace by itself', async (root) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'codelab-data-'));
  const workspace = await openWorkspace({
    root,
    dataDir,
    ask: {
      promptUser: (_message, actions) => Promise.resolve(actions[0]!),
      reviewPatch: (patch) => Promise.resolve({ action: 'apply', chunks: listChunks(patch).map(({ number }) => number) }),
    },
  });
  let calls = 0;
  return {
    async run(tool, args) {
      calls += 1;
      const outcome = await workspace.run(tool, args, {
        callId: `call_${String(calls)}`,
        signal: new AbortController().signal,
        approved: true,
      });
      return outcome.ok ? outcome : { ok: false, ...outcome.error };
    },
    close: () => rm(dataDir, { recursive: true, force: true }),
  };
});
