import { describeCall, sanitiseLine, toolTitle, whereRuns } from '@codelab/tools/human';
import { SafeText } from '../text/safe-text.js';
import type { AskedCall } from './asked-call.js';
import { Deadline } from './deadline.js';

interface HeadProps {
  readonly id: string;
  readonly call: AskedCall;
  readonly executor: 'you' | 'other' | 'none';
  readonly origin: 'server' | 'client';
  readonly position: { readonly number: number; readonly count: number } | undefined;
  readonly isPlan: boolean;
}

/** What is asked, how much can go wrong, where it runs and why it is asked. */
export function ApprovalHead({ id, call, executor, origin, position, isPlan }: HeadProps) {
  const { risk = 'medium', reason = '', expires_at_ms: expiresAtMs } = call.approval ?? {};
  return (
    <header className="cl-approval-head">
      <p className="cl-approval-facts">
        <span className="cl-approval-kind">{isPlan ? 'A plan to decide about' : 'Approval needed'}</span>
        {!isPlan && (
          <span className="cl-risk" data-risk={risk}>
            {`${risk} risk`}
          </span>
        )}
        {position && position.count > 1 && <span>{`${position.number} of ${position.count}`}</span>}
        {expiresAtMs !== undefined && <Deadline atMs={expiresAtMs} />}
      </p>
      <h3 id={id} className="cl-approval-title">
        {isPlan ? (
          'Carry out this plan?'
        ) : (
          <>
            <code className="cl-approval-tool">{toolTitle(call.toolName)}</code>{' '}
            <span className="cl-approval-about">
              <SafeText text={sanitiseLine(describeCall(call.toolName, call.args), 300)} />
            </span>
          </>
        )}
      </h3>
      {!isPlan && (
        <p className="cl-approval-why">
          <SafeText text={`${whereRuns(call.toolName, executor)}.`} />
          {call.program && ' A program asks for it, not the agent of this session.'}
          {call.taskCallId !== undefined && ' An agent that works on a part of the task asks for it.'}
          {origin === 'client' && ' This machine asks, whatever the servers decide.'}
          {reason !== '' && (
            <span className="cl-approval-reason">
              {'Why it is asked: '}
              <SafeText text={`${sanitiseLine(reason.replace(/\.$/, ''), 400)}.`} />
            </span>
          )}
        </p>
      )}
    </header>
  );
}
