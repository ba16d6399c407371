import type { McpServer } from '@agentclientprotocol/sdk';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { startEverything } from '../start-everything.js';
import type { Plans } from '../use-chats.js';
import { agentOf, useEditors } from '../use-editors.js';
import { EVERYTHING, isAlive, node, ODD, processOf, useMcp } from '../use-mcp.js';

const echo = (server: string) => [
  { calls: [{ tool: `mcp__${server}__echo`, args: { message: `through ${server}` } }] },
  { text: 'Echoed.' },
];
const PLANS: Plans = {
  'echo by stdio': echo('Every-thing'),
  'echo by http': echo('remote'),
  'echo by own': echo('own'),
  'just talk': [{ text: 'I am here.' }],
};

const editors = useEditors(PLANS);
const mcp = useMcp(editors);

const program = (name: string, ...args: readonly string[]): McpServer => ({ name, ...node(...args), args: [...args], env: [] });

test(
  verifies(
    'L3:acp-mcp',
    'the MCP servers that an editor names and those of its person are there together, their tools are asked about, their prompts are commands',
  ),
  async () => {
    const remote = await startEverything();
    try {
      await mcp.configure({ own: node(EVERYTHING, 'stdio'), remote: { command: 'never-started' } });
      const editor = await editors.edit({ answers: () => 'allow_once', env: { ...agentOf(editors.system).env } });
      const { sessionId } = await editor.open([
        program('Every thing!', EVERYTHING, 'stdio'),
        { type: 'http', name: 'remote', url: remote.url, headers: [{ name: 'x-editor', value: 'test' }] },
      ]);
      for (const way of ['stdio', 'http', 'own']) await editor.prompt(sessionId, `echo by ${way}`);
      const sent = JSON.stringify(editors.model.requests.at(-1)?.body);
      for (const server of ['Every-thing', 'remote', 'own']) expect(sent).toContain(`Echo: through ${server}`);
      expect(editor.questions.map(({ toolCall }) => toolCall.title)).toEqual([
        'Every-thing:echo message: through Every-thing',
        'remote:echo message: through remote',
        'own:echo message: through own',
      ]);
      await editor.sees(
        'prompts',
        sessionId,
        (update) =>
          update.sessionUpdate === 'available_commands_update' && update.availableCommands.some(({ name }) => name.startsWith('remote:')),
      );
    } finally {
      await remote.stop();
    }
  },
);

test(verifies('R2:acp-mcp-end', 'the MCP servers of an editor end with its session, and with the editor'), async () => {
  const words = join(editors.system.dataDir, 'words.txt');
  const editor = await editors.edit();
  const { sessionId } = await editor.open([program('odd', ODD, 'greet', words)]);
  await editor.prompt(sessionId, 'just talk');
  const pid = await processOf(words);
  await editor.close();
  expect(isAlive(pid)).toBe(false);
});
