import { methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Plans } from '../use-chats.js';
import { useEditors } from '../use-editors.js';

const PLANS: Plans = {
  'say hello': [{ thinking: 'I greet them.', text: 'Hello from the agent.', slow: 40 }],
  'talk long': [{ text: 'word '.repeat(400), slow: 20 }],
};

const editors = useEditors(PLANS);

test(
  verifies(
    'L3:acp-initialize',
    'an agent tells an editor who it is, what it can, and how to sign in, in the one version of the protocol that it speaks',
  ),
  async () => {
    const { initialized } = await editors.edit();
    expect(initialized.protocolVersion).toBe(PROTOCOL_VERSION);
    expect(initialized.agentInfo).toMatchObject({ name: 'codelab', title: 'CodeLab' });
    expect(initialized.agentCapabilities).toEqual({
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    });
    expect(initialized.authMethods).toEqual([expect.objectContaining({ id: 'codelab-token' })]);
  },
);

test(
  verifies('L3:acp-prompt', 'a prompt is answered by streamed thoughts and text, and the turn ends as the protocol says it'),
  async () => {
    const editor = await editors.edit();
    const { sessionId } = await editor.open();
    expect(await editor.prompt(sessionId, 'say hello')).toEqual({ stopReason: 'end_turn' });
    expect(editor.said(sessionId)).toBe('Hello from the agent.');
    const kinds = editor.updates(sessionId).map(({ sessionUpdate }) => sessionUpdate);
    expect(kinds.indexOf('agent_thought_chunk')).toBeGreaterThan(-1);
    expect(kinds.indexOf('agent_thought_chunk')).toBeLessThan(kinds.indexOf('agent_message_chunk'));
    expect(kinds.filter((kind) => kind === 'agent_message_chunk').length).toBeGreaterThan(1);
    await editor.sees('the title', sessionId, (update) => update.sessionUpdate === 'session_info_update' && update.title === 'say hello');
    expect(editor.strange).toEqual([]);
  },
);

test(verifies('R3:acp-cancel', 'a turn that an editor cancels ends as cancelled within a second'), async () => {
  const editor = await editors.edit();
  const { sessionId } = await editor.open();
  const prompted = editor.prompt(sessionId, 'talk long');
  await editor.sees('text', sessionId, ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
  const atMs = performance.now();
  await editor.agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await prompted).toEqual({ stopReason: 'cancelled' });
  expect(performance.now() - atMs).toBeLessThan(1_000);
});
