import { argsDigest } from '@codelab/tools';
import { demand, type Check } from '../../check.js';
import { about, show } from '../../wire/frame.js';
import type { GatewayStage } from '../gateway-stage.js';

const SHA = /^[0-9a-f]{64}$/;
const STRANGE = 'caf\u00e9 \u20ac \u{1f600} \ufb33 back\\slash <tag> \u2028 \u007f end';

/** What a tool_call says. */
export const CALL_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'call.fields',
    says: 'sends each call with its digest, fence, deadline, idempotency and state, under an id of its own',
    section: 'executor.md#state--frame',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.call(wire, 'read a.txt', 'read_file');
      demand(call['args_sha256'] === argsDigest(call['args']), `the digest of ${show(call)} is ${argsDigest(call['args'])}`);
      demand(call['fence'] === 1, 'the fence of a new call is 1');
      demand((call['deadline_ms'] as number) >= 60_000, 'deadline_ms is at least 60 s');
      demand(call['idempotency'] === 'safe', 'reading a file is safe');
      demand(call['state'] === 'ready' || call['state'] === 'waiting_approval', `a new call is ${String(call['state'])}`);
      demand(Number.isInteger(call['seq']), 'a call is a frame of the log: it has a seq');
    },
  },
  {
    id: 'call.digest',
    says: 'computes args_sha256 by RFC 8785, of strange characters, too',
    section: 'executor.md#the-digest',
    run: async (stage) => {
      const { wire } = await stage.join();
      const call = await stage.askedCall(wire, 'b.txt', STRANGE);
      demand(SHA.test(String(call['args_sha256'])), `args_sha256 is ${String(call['args_sha256'])}`);
      demand(call['args_sha256'] === argsDigest(call['args']), `the digest of ${show(call)} is ${argsDigest(call['args'])}`);
    },
  },
  {
    id: 'call.log',
    says: 'sends the frames of the log with seq 1, 2, 3 …, bridged by prev_seq where some are left out, the same to each client',
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage) => {
      const executor = await stage.join();
      const observer = await stage.join({ tools: [] });
      const call = await stage.call(executor.wire, 'read a.txt', 'read_file');
      await stage.answer(executor.wire, call);
      await stage.ended(executor.wire);
      await stage.ended(observer.wire);
      for (const { wire, welcome } of [executor, observer]) {
        let last = welcome['seq'] as number;
        for (const frame of wire.received.filter(
          (each) => each.type !== 'welcome' && each['seq'] !== undefined && each['redelivered'] !== true,
        )) {
          const [seq, before] = [frame['seq'] as number, (frame['prev_seq'] as number | undefined) ?? (frame['seq'] as number) - 1];
          demand(before <= last && last < seq, `behind ${String(last)} came ${show(frame)}`);
          last = seq;
        }
      }
      const ends = [executor, observer].map(({ wire }) => wire.received.find(about('turn_ended'))?.['seq']);
      demand(ends[0] === ends[1], `the end of the turn has the numbers ${ends.join(' and ')}`);
    },
  },
];
