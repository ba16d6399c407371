import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { startSystem, type System } from '../start-system.js';
import { connectWire, type WireClient } from '../wire-client.js';

let system: System;

beforeAll(async () => {
  system = await startSystem();
});

afterAll(() => system.stop());

const connect = (session: string, client_id: string): Promise<WireClient> =>
  connectWire({
    ws: system.gateways[0]?.ws ?? '',
    token: system.token,
    session,
    hello: { protocol_versions: ['2.0'], client_id, tools: ['read_file', 'write_file'] },
  });

test(
  verifies('R4:succession', 'an executor that dies with a question open: the next client is asked, runs the call, and the turn completes'),
  async () => {
    const first = await connect('heirs', '11111111-0000-4000-8000-000000000000');
    expect(await first.waitForType('welcome')).toMatchObject({ executor: 'you' });
    const next = await connect('heirs', '22222222-0000-4000-8000-000000000000');
    expect(await next.waitForType('welcome')).toMatchObject({ executor: 'other' });
    next.send({ type: 'user_message', content: 'create a.txt with hello' });
    const asked = await first.waitForType('tool_call');
    first.kill();
    await next.waitFor((frame) => frame.type === 'executor_changed' && frame['executor'] === 'you', 'the handover');
    const call = await next.waitFor((frame) => frame.type === 'tool_call' && frame['redelivered'] === true, 'the call again');
    expect(call).toMatchObject({ call_id: asked['call_id'], state: 'waiting_approval', args_sha256: asked['args_sha256'] });
    next.send({ type: 'hitl_decision', call_id: call['call_id'], decision: 'approve', args_sha256: call['args_sha256'] });
    await next.waitForType('approval_resolved');
    next.send({ type: 'tool_ack', call_id: call['call_id'], fence: call['fence'], state: 'started' });
    next.send({ type: 'tool_result', call_id: call['call_id'], fence: call['fence'], result: { success: true, bytes_written: 5 } });
    expect(await next.waitForType('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
    expect(await next.waitForType('turn_ended')).toMatchObject({ status: 'completed' });
    await next.close();
  },
);
