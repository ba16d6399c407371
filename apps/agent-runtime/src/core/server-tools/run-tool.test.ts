import { expect, test } from 'vitest';
import { JsonText } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import { runTool } from './run-tool.js';
import type { ServerRun, ServerTool } from './server-tool.js';

const run: ServerRun = {
  ...{ callId: 'c', argumentsText: '{}', owner: { tenant: 't', sub: 's' }, sessionId: 's1' },
  ...{ signal: new AbortController().signal, onOutput: () => undefined },
};
const answering = (json: string): ServerTool =>
  ({ definition: { name: 'deep' }, run: () => Promise.resolve({ ok: true, result: new JsonText(json) }) }) as unknown as ServerTool; // nothing else of it is used

test(
  verifies('G4:server-tool-depth', 'a result that is nested deeper than anybody can write it again is a failure, not a fault'),
  async () => {
    const nested = (levels: number): string => `{"output":${'['.repeat(levels)}"[[{\\"["${']'.repeat(levels)}}`;
    expect(await runTool(answering(nested(200_000)), {}, run)).toMatchObject({ ok: false, error: { code: 'TOOL_FAILED' } });
    expect(await runTool(answering(nested(50)), {}, run)).toEqual({ ok: true, result: nested(50) });
  },
);
