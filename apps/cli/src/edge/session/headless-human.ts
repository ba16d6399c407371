import type { Approve } from '@codelab/client';
import { ToolFailure } from '@codelab/workspace';
import type { Ask } from '@codelab/workspace';
import { listChunks } from '@codelab/tools';
import { answerHeadless, DECIDED_HERE_ONLY, NO_HUMAN, NOT_FOR_PROGRAMS } from '../../core/approval/answer-headless.js';

/** Decisions without a human. `lacked` tells whether one was missed. */
export interface HeadlessHuman extends Ask {
  readonly approve: Approve;
  readonly lacked: boolean;
}

/**
 * What stands for the human in a command that nobody watches. `all` approves, answers a question with its first action and keeps every chunk
 * of a review: a rule that the human made by asking for it. `none` refuses, as policy and not as a human (H3). `elsewhere` leaves approvals
 * to the other clients of the session and to REST; what only this client could ask, or decide, is refused. What a program asks for through
 * llm-proxy is never approved by `all`: that was said of this command.
 */
export function headlessHuman(mode: 'none' | 'all' | 'elsewhere', say: (text: string) => void = () => undefined): HeadlessHuman {
  let lacked = false;
  const refuse = (): ToolFailure => {
    lacked = true;
    return new ToolFailure('DENIED_BY_POLICY', NO_HUMAN);
  };
  return {
    get lacked() {
      return lacked;
    },
    async approve({ toolName, callId, origin, program }, signal) {
      if (mode === 'elsewhere' && origin === 'client') {
        lacked = true;
        return { decision: 'reject', noHuman: true, feedback: DECIDED_HERE_ONLY };
      }
      if (mode === 'elsewhere') {
        say(`${toolName} waits for another client of this session to decide, or REST: call ${callId}.`);
        return decidedElsewhere(signal);
      }
      if (program === true) return { decision: 'reject', noHuman: true, feedback: NOT_FOR_PROGRAMS };
      lacked ||= mode === 'none';
      return answerHeadless(mode);
    },
    async promptUser(_message, actions) {
      if (mode !== 'all') throw refuse();
      return actions[0]!;
    },
    async reviewPatch(patch) {
      if (mode !== 'all') throw refuse();
      return { action: 'apply', chunks: listChunks(patch).map(({ number }) => number) };
    },
  };
}

const decidedElsewhere = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
