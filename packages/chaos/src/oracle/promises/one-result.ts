import { groupBy } from '../grouping.js';
import type { Promised } from '../violation.js';

export const oneResult: Promised = {
  name: 'one-result',
  says: 'The first result of a call wins: it is accepted once, and every other one is a duplicate or stale (R2).',
  *judge(story) {
    const acks = story.told.filter(({ frame }) => frame.type === 'tool_result_ack' && frame['outcome'] === 'accepted');
    for (const [call, own] of groupBy(acks, ({ session, frame }) => `${session} ${String(frame['call_id'])}`)) {
      const callId = own[0]!.frame['call_id'];
      const mismatches = story.said.filter(
        ({ frame }) =>
          frame.type === 'tool_result' &&
          frame['call_id'] === callId &&
          (frame['error'] as { code?: string } | undefined)?.code === 'APPROVAL_MISMATCH',
      ).length;
      const lives = own.filter((ack) => story.isSureOfEpoch(ack)).map(({ epoch }) => epoch);
      const isTwiceInOneLife = new Set(lives).size + mismatches < lives.length;
      if (own.length > 1 + mismatches && (isTwiceInOneLife || !story.lostSomething))
        yield { text: `${String(own.length)} results of ${call} were accepted`, at: own[1]!.at, events: own.map(({ index }) => index) };
    }
  },
};
