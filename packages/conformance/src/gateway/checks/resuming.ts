import { demand, type Check } from '../../check.js';
import { about, show, type Frame } from '../../wire/frame.js';
import type { GatewayStage } from '../gateway-stage.js';

/** As long as a preview may be. */
const LONG_PREVIEW = 'x'.repeat(1_000_000);
/** 4 MB ahead of what was acknowledged, 8 MB that wait, and some: nothing of it is dropped before. */
const PREVIEWS = 16;

/** The highest number that a client has seen. */
const lastOf = (received: readonly Frame[]): number => Math.max(...received.map(({ seq }) => (typeof seq === 'number' ? seq : 0)));

/** Who comes back finds everything, once. */
export const RESUME_CHECKS: readonly Check<GatewayStage>[] = [
  {
    id: 'resume.replay',
    says: 'replays exactly the frames behind resume.seq, with the numbers that they had',
    section: 'connecting.md#hello-and-welcome',
    run: async (stage) => {
      const executor = await stage.join();
      const { wire, welcome, clientId } = await stage.join({ tools: [] });
      const call = await stage.call(executor.wire, 'read a.txt', 'read_file');
      await wire.next('the call', about('tool_call'));
      const seq = lastOf(wire.received);
      await wire.cut();
      await stage.answer(executor.wire, call);
      await stage.ended(executor.wire);
      const back = await stage.join({ tools: [], clientId, resume: { epoch: welcome['epoch'], seq } });
      demand(back.welcome['recovered'] === true, `a client that resumes where it was got ${show(back.welcome)}`);
      const ended = await stage.ended(back.wire);
      let last = seq;
      for (const frame of back.wire.received.filter((each) => each.type !== 'welcome' && each['seq'] !== undefined)) {
        const before = (frame['prev_seq'] as number | undefined) ?? (frame['seq'] as number) - 1;
        demand(before <= last && (frame['seq'] as number) > last, `behind ${String(last)} the replay has ${show(frame)}`);
        last = frame['seq'] as number;
      }
      demand(
        ended['seq'] === executor.wire.received.find(about('turn_ended'))?.['seq'],
        'the end of the turn has another number in the replay',
      );
    },
  },
  ...(
    [
      ['resume.wrong-epoch', 'of another epoch', { epoch: 'another-epoch', seq: 0 }],
      ['resume.ahead', 'that is ahead of the log', { seq: 1_000_000 }],
    ] as const
  ).map(([id, which, position]) => ({
    id,
    says: `answers a resume ${which} with recovered: false and a snapshot`,
    section: 'connecting.md#seq-gaps-epochs',
    run: async (stage: GatewayStage) => {
      const first = await stage.join();
      const call = await stage.call(first.wire, 'read a.txt', 'read_file');
      await stage.answer(first.wire, call);
      await stage.ended(first.wire);
      const { welcome } = await stage.join({ tools: [], resume: { epoch: first.welcome['epoch'], ...position } });
      const snapshot = welcome['snapshot'] as { readonly history?: readonly object[]; readonly seq?: number } | undefined;
      demand(welcome['recovered'] === false && snapshot !== undefined, `the answer was ${show(welcome)}`);
      demand(
        (snapshot.history ?? []).length > 0 && snapshot.seq === welcome['seq'],
        'the snapshot does not hold the conversation up to welcome.seq',
      );
    },
  })),
  {
    id: 'resume.open-call',
    says: 'shows an open call in the snapshot and once more as a redelivered frame, with the same id, seq and digest',
    section: 'executor.md#open-calls-after-a-reconnect',
    run: async (stage) => {
      const first = await stage.join();
      const call = await stage.askedCall(first.wire);
      await first.wire.cut();
      const back = await stage.join({ clientId: first.clientId });
      demand(back.welcome['executor'] === 'you', `the executor came back and was told ${String(back.welcome['executor'])}`);
      const open = ((back.welcome['snapshot'] as { readonly open_calls?: readonly Frame[] } | undefined)?.open_calls ?? []).map(
        ({ call_id }) => call_id,
      );
      demand(JSON.stringify(open) === JSON.stringify([call['call_id']]), `the snapshot has the open calls ${JSON.stringify(open)}`);
      const again = await back.wire.next('the redelivered call', about('tool_call', call['call_id'] as string));
      const { redelivered, seq, args_sha256, state } = again;
      demand(
        redelivered === true && seq === call['seq'] && args_sha256 === call['args_sha256'] && state === 'waiting_approval',
        show(again),
      );
      await stage.decide(back.wire, again, 'approve');
      await stage.answer(back.wire, again);
      await stage.ended(back.wire);
    },
  },
  {
    id: 'resume.decided-meanwhile',
    says: 'redelivers a call that was decided while its executor was away as ready, with the arguments to run',
    section: 'executor.md#open-calls-after-a-reconnect',
    run: async (stage) => {
      const executor = await stage.join();
      const observer = await stage.join({ tools: [] });
      const call = await stage.askedCall(executor.wire);
      await executor.wire.cut();
      const modified_args = { path: 'b.txt', content: 'edited' };
      const { call_id, args_sha256 } = call;
      observer.wire.send({ type: 'hitl_decision', call_id, args_sha256, decision: 'edit', modified_args });
      await observer.wire.next('approval_resolved', about('approval_resolved'));
      const back = await stage.join({ clientId: executor.clientId });
      const again = await back.wire.next('the redelivered call', about('tool_call', call_id as string));
      const args = again['args'] as { readonly content?: string };
      demand(again['state'] === 'ready' && args.content === 'edited', `the decided call came as ${show(again)}`);
      await stage.answer(back.wire, again);
    },
  },
  {
    id: 'resume.slow-reader',
    says: 'tells a client that acknowledges nothing of 16 MB SLOW_READER, and begins again with a snapshot on the same connection, once it reads',
    section: 'connecting.md#ack',
    run: async (stage) => {
      const executor = await stage.join();
      const call = await stage.askedCall(executor.wire);
      const { wire, welcome } = await stage.join({ tools: [] });
      wire.send({ type: 'ack', seq: welcome['seq'] });
      const preview = { type: 'tool_preview', call_id: call['call_id'], preview: { kind: 'text', text: LONG_PREVIEW } };
      for (let i = 0; i < PREVIEWS; i += 1) await executor.wire.sent(preview);
      await stage.decide(executor.wire, call, 'reject');
      await stage.ended(executor.wire);
      wire.send({ type: 'ack', seq: lastOf(wire.received) });
      await wire.next('the error SLOW_READER', (frame) => frame.type === 'error' && frame['code'] === 'SLOW_READER');
      const again = await wire.next('a second welcome', (frame) => frame.type === 'welcome' && frame !== welcome);
      demand(again['recovered'] === false && again['snapshot'] !== undefined, `the second welcome is ${show(again)}`);
      demand(wire.received.filter(about('tool_preview')).length < PREVIEWS, 'all that it did not acknowledge was sent to it');
      await stage.call(executor.wire, 'read a.txt', 'read_file');
      const next = await wire.next('the next call', (frame) => about('tool_call')(frame) && frame['tool_name'] === 'read_file');
      demand((next['seq'] as number) > (again['seq'] as number), `behind the snapshot of ${String(again['seq'])} came ${show(next)}`);
    },
  },
];
