import { CodeLabClient, createLocalPolicy, workspaceExecutor } from '@codelab/client';
import { startScriptedProvider, type ScriptedProvider } from '@codelab/testkit';
import { isJsonObject, listChunks, type JsonObject } from '@codelab/tools';
import { openWorkspace } from '@codelab/workspace';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startSystem } from '../start-system.js';
import { runToolSuite } from './run-tool-suite.js';
import type { Answer } from './tool-driver.js';

/** One call, then a word: what the model is asked the second time holds the answer of the call. */
const startOneCallModel = (): { next: { tool: string; args: JsonObject }; provider: Promise<ScriptedProvider> } => {
  const state = { next: { tool: '', args: {} as JsonObject } };
  const provider = startScriptedProvider({
    script: ({ body }) =>
      body.messages.at(-1)?.role === 'user'
        ? { toolCalls: [{ id: 'call_0', name: state.next.tool.replace('.', '_'), arguments: JSON.stringify(state.next.args) }] }
        : { text: 'done' },
  });
  return Object.assign(state, { provider });
};

/** What the model reads of a call: the result as JSON, or `Error [CODE]: message` (docs/specification/calls.md#to-the-model). */
const readAnswer = (text: string): Answer => {
  const [, code, message] = /^Error \[(\w+)\]: ([^]*)$/.exec(text) ?? [];
  if (code !== undefined && message !== undefined) return { ok: false, code, message };
  const result: unknown = JSON.parse(text);
  if (!isJsonObject(result)) throw new Error(`the model was told neither a result nor an error: ${text}`);
  return { ok: true, result };
};

runToolSuite('the workspace behind gateway, runtime and proxy', async (root) => {
  const model = startOneCallModel();
  const provider = await model.provider;
  const system = await startSystem({ env: { OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
  const workspace = await openWorkspace({
    root,
    dataDir: join(system.dataDir, 'client'),
    ask: {
      promptUser: (_message, actions) => Promise.resolve(actions[0]!),
      reviewPatch: (patch) => Promise.resolve({ action: 'apply', chunks: listChunks(patch).map(({ number }) => number) }),
    },
  });
  const clientId = randomUUID();
  return {
    // A conversation for each call: a model is told all that was said before, and some answers have a megabyte.
    async run(tool, args) {
      model.next = { tool, args };
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const client = new CodeLabClient({
        url: system.gateways[0]!.ws,
        token: system.token,
        clientId,
        client: { name: 'suite', version: '0' },
        executor: workspaceExecutor(workspace),
        journalDir: join(system.dataDir, 'journal'),
        approve: () => Promise.resolve({ decision: 'approve' }),
        localPolicy: createLocalPolicy(),
        onFrame: ({ type }) => {
          if (type === 'turn_ended') end();
        },
      });
      await client.connect();
      await client.sendMessage('go');
      await ended;
      await client.close();
      const { messages } = provider.requests.at(-1)!.body;
      return readAnswer(String(messages.findLast(({ role }) => role === 'tool')?.content));
    },
    async close() {
      await system.stop();
      await provider.close();
    },
  };
});
