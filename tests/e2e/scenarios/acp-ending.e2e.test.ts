import { methods } from '@agentclientprotocol/sdk';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import type { Plans } from '../use-chats.js';
import { agentOf, useEditors } from '../use-editors.js';
import { isAlive } from '../use-mcp.js';

const PLANS: Plans = {
  'run long': [{ calls: [{ tool: 'run_command', args: { command: 'echo $$ > pid && sleep 600' } }] }, { text: 'Never.' }],
  'talk slowly': [{ text: 'slow '.repeat(100), slow: 30 }],
  'write it': [{ calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: 'one\n' } }] }, { text: 'Written.' }],
};

const editors = useEditors(PLANS);
const { session } = methods.agent;

const kill = async (url: string): Promise<void> => {
  const pid = await eventually(`${url} is up`, () => editors.system.pidOf(url).catch(() => undefined));
  process.kill(pid, 'SIGKILL');
};

test.each(['end of its input', 'SIGTERM'])(
  verifies('R2:acp-end', 'an editor that goes ends everything: by %s nothing is left running'),
  async (how) => {
    const editor = await editors.edit({ answers: () => 'allow_once' });
    const { sessionId } = await editor.open();
    editor.prompt(sessionId, 'run long').catch(() => undefined); // the connection ends first
    const pid = Number(
      await eventually(
        'the command runs',
        async () => (await readFile(join(editors.repository.root, 'pid'), 'utf8').catch(() => '')).trim() || undefined,
      ),
    );
    const exited = once(editor.child, 'exit');
    const atMs = performance.now();
    if (how === 'SIGTERM') editor.child.kill('SIGTERM');
    else editor.child.stdin?.end();
    expect(await exited).toEqual([0, null]);
    expect(performance.now() - atMs).toBeLessThan(10_000);
    expect(isAlive(pid)).toBe(false);
    const shown = (await (
      await fetch(`${editors.system.gateways[0]?.url ?? ''}/api/v1/sessions/${sessionId}`, {
        headers: { authorization: `Bearer ${editors.system.token}` },
      })
    ).json()) as { status: string };
    expect(shown.status).toBe('idle');
    expect(editor.strange).toEqual([]);
  },
);

test(
  verifies('R4:acp-gateway-away', 'a gateway that dies in the middle of a turn costs an editor neither the turn nor a question that waits'),
  async () => {
    const editor = await editors.edit({
      capabilities: { session: { notices: {} } },
      answers: async () => {
        await kill(editors.system.gateways[0]?.url ?? '');
        return 'allow_once';
      },
    });
    const { sessionId } = await editor.open();
    const talking = editor.prompt(sessionId, 'talk slowly');
    await editor.sees('text', sessionId, ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    await kill(editors.system.gateways[0]?.url ?? '');
    expect(await talking).toEqual({ stopReason: 'end_turn' });
    const notices = editor.updates(sessionId).flatMap((update) => (update.sessionUpdate === 'notice' ? [update.title] : []));
    expect(notices).toEqual(['The gateway is away: this goes on when it is back.', 'The gateway is back.']);
    expect(editor.said(sessionId)).toBe('slow '.repeat(100));
    expect(await editor.prompt(sessionId, 'write it')).toEqual({ stopReason: 'end_turn' });
    expect(await readFile(join(editors.repository.root, 'notes.txt'), 'utf8')).toBe('one\n');
  },
);

test(
  verifies('G1:acp-auth', 'a token that the gateway does not know asks an editor for a sign-in, which looks for the token again'),
  async () => {
    const agent = agentOf(editors.system);
    const editor = await editors.edit({ ...agent, env: { ...agent.env, CODELAB_TOKEN: 'wrong-token' } });
    await expect(editor.open()).rejects.toMatchObject({ code: -32000, message: expect.stringContaining('token') });
    await expect(editor.agent.request(methods.agent.authenticate, { methodId: 'codelab-token' })).rejects.toMatchObject({ code: -32000 });
    await expect(editor.agent.request(session.list, {})).rejects.toMatchObject({ code: -32000 });
    await expect(editor.agent.request(methods.agent.authenticate, { methodId: 'magic' })).rejects.toMatchObject({ code: -32602 });
    const good = await editors.edit();
    expect(await good.agent.request(methods.agent.authenticate, { methodId: 'codelab-token' })).toEqual({});
    await good.open();
  },
);
