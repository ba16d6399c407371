import { ConnectionClosedError, RefusedError } from '../client-errors.js';
import type { CallAnswer } from '../journal/journal-record.js';
import type { Journal } from '../journal/journal.js';
import type { PendingRequests } from '../requests/pending-requests.js';
import { toErrorAnswer, toResultFrame } from './to-call-answer.js';

/** What answering needs. */
export interface AnswerPorts {
  readonly requests: PendingRequests;
  readonly journal: () => Journal | undefined;
  readonly onProblem: (event: string, message: string) => void;
}

/** Brings answers to the servers, as often as it takes (G2), and notes in the journal that they have them. */
export class CallAnswers {
  constructor(private readonly ports: AnswerPorts) {}

  /** Sends an answer until it is acknowledged or refused. Never rejects. */
  async send(callId: string, fence: number, answer: CallAnswer): Promise<void> {
    try {
      await this.ports.requests.ask({ kind: 'result', id: callId }, toResultFrame(callId, fence, answer));
    } catch (error) {
      if (error instanceof ConnectionClosedError) return; // the next process sends it, from the journal
      if (!(error instanceof RefusedError)) throw error;
      if (error.code !== 'ALREADY_RESOLVED') this.ports.onProblem('result.refused', `${callId}: ${error.code}: ${error.message}`);
    }
    this.ports.journal()?.settled(callId);
  }

  /** Answers an unsafe call that was begun before: with what it ended with, or with the truth that nobody knows. */
  async sendAgain(callId: string, fence: number, toolName: string): Promise<void> {
    const known = await this.ports.journal()?.answerOf(callId);
    await this.send(
      callId,
      fence,
      known ??
        toErrorAnswer(
          'OUTCOME_UNKNOWN',
          `${toolName} was begun and its end was lost: the client stopped meanwhile. Look at what it did before trying again.`,
        ),
    );
  }

  /** Sends the answers that a process before this one could not bring to an end. */
  sendUnsettled(isOpen: (callId: string) => boolean): void {
    for (const { callId, fence, toolName } of this.ports.journal()?.unsettled() ?? []) {
      if (!isOpen(callId) && !this.ports.requests.has('result', callId)) void this.sendAgain(callId, fence, toolName);
    }
  }
}
