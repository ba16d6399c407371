import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { resultFor, type GatewayStage } from '../gateway-stage.js';

const OF_SEED = new Set(['assistant_message', 'tool_call', 'error']);

/** Clients that never say hello. */
export const SEED_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'seed.frames',
    says: 'sends a client without hello only assistant_message, tool_call and error, and takes its results',
    section: 'executor.md#seed-clients',
    run: async (stage) => {
      const wire = await stage.connect();
      wire.send({ type: 'user_message', content: 'read a.txt' });
      const call = await wire.next('tool_call', about('tool_call'));
      wire.send({ type: 'tool_result', call_id: call['call_id'], ...resultFor(call) });
      await wire.next('the final text', (frame) => frame['is_final'] === true);
      const foreign = wire.received.find(({ type }) => !OF_SEED.has(type));
      demand(foreign === undefined, `a seed client was sent ${show(foreign ?? {})}`);
    },
  },
  {
    id: 'seed.decides',
    says: 'lets a client without hello decide a call itself: it answers with a result, or with PERMISSION_DENIED',
    section: 'executor.md#seed-clients',
    run: async (stage) => {
      const wire = await stage.connect();
      wire.send({ type: 'user_message', content: 'create b.txt with "hello"' });
      const call = await wire.next('tool_call', about('tool_call'));
      demand(call['requires_approval'] === true, `the call came as ${show(call)}`);
      wire.send({ type: 'tool_result', call_id: call['call_id'], error: { code: 'PERMISSION_DENIED', message: 'no' } });
      await wire.next('the final text', (frame) => frame['is_final'] === true);
    },
  },
];
