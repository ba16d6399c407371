import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import { demandCode, errorAbout, resultFor, type GatewayStage } from '../gateway-stage.js';

/** The first result counts, and a mismatch asks anew. */
export const RESULT_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'result.once',
    says: 'acknowledges the first result as accepted, and each repeat as duplicate',
    section: 'executor.md#which-frames-to-send-again',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.call(wire, 'read a.txt', 'read_file');
      const first = await stage.answer(wire, call);
      demand(first['outcome'] === 'accepted', show(first));
      const again = await stage.answer(wire, call);
      demand(again['outcome'] === 'duplicate', `the repeat was answered with ${show(again)}`);
      await stage.ended(wire);
    },
  },
  {
    id: 'result.fence',
    says: 'refuses a result with a larger fence than the call has with INVALID_FIELD',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.call(wire, 'read a.txt', 'read_file');
      wire.send({ type: 'tool_result', call_id: call['call_id'], fence: 99, ...resultFor(call) });
      demandCode(await wire.next('an error', errorAbout('tool_result')), 'INVALID_FIELD');
      await stage.answer(wire, call);
    },
  },
  {
    id: 'result.shape',
    says: 'refuses a result with both result and error, and one with neither',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.call(wire, 'read a.txt', 'read_file');
      for (const body of [{}, { ...resultFor(call), error: { code: 'FILE_NOT_FOUND', message: 'no' } }]) {
        wire.send({ type: 'tool_result', call_id: call['call_id'], fence: call['fence'], ...body });
        const error = await wire.next('an error', errorAbout('tool_result'));
        demand(['MISSING_FIELD', 'INVALID_FIELD'].includes(String(error['code'])), show(error));
      }
      await stage.answer(wire, call);
    },
  },
  {
    id: 'result.mismatch',
    says: 'asks anew under the same call_id and a new seq when an asked call ends with APPROVAL_MISMATCH',
    section: 'executor.md#asked-anew',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      await stage.decide(wire, call, 'approve');
      await stage.answer(wire, call, { error: { code: 'APPROVAL_MISMATCH', message: 'the file changed' } });
      const anew = await wire.next('the call again', about('tool_call', call['call_id'] as string));
      demand(anew['state'] === 'waiting_approval', `the call came again as ${show(anew)}`);
      demand((anew['seq'] as number) > (call['seq'] as number), 'the question that is put anew has a new seq');
      await stage.decide(wire, anew, 'approve');
      const ack = await stage.answer(wire, anew);
      demand(ack['outcome'] === 'accepted', show(ack));
      await stage.ended(wire);
    },
  },
  {
    id: 'result.preview-failed',
    says: 'closes the question of a call whose preview failed, and takes the error for its result',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire);
      const error = { code: 'INVALID_PATH', message: 'it is a link' };
      wire.send({ type: 'tool_result', call_id: call['call_id'], fence: call['fence'], error, preview_failed: true });
      const resolved = await wire.next('approval_resolved', about('approval_resolved'));
      demand(resolved['outcome'] === 'cancelled' && resolved['by'] === 'executor', show(resolved));
      await wire.next('tool_result_ack', about('tool_result_ack'));
      await stage.ended(wire);
    },
  },
];
