import { formatPlural, type CallItem } from '@codelab/client/view';
import { describeCall, sanitiseLine, toolTitle } from '@codelab/tools/human';
import { useState, type ReactNode } from 'react';
import { useFacts, usePort, useSession } from '../port/session-context.js';
import { SafeText } from '../text/safe-text.js';
import { ApprovalPanel } from './approval-panel.js';
import { describeDecision } from './describe-decision.js';
import { waitingCalls } from './waiting-calls.js';

/** A call of the session that waits for a decision. The first one that waits takes letters, wherever the focus is. */
export function ApprovalCard({ call, onBegun }: { readonly call: CallItem; readonly onBegun?: (begun: boolean) => void }) {
  const port = usePort();
  const executor = useSession((view) => view.executor);
  const waiting = useSession(
    (view) => waitingCalls(view).map(({ callId }) => callId),
    (one, other) => one.join(' ') === other.join(' '),
  );
  const schema = useFacts((facts) => facts.toolSchemas?.[call.toolName]);
  const number = waiting.indexOf(call.callId) + 1;
  return (
    <div id={cardId(call.callId)}>
      <ApprovalPanel
        key={call.callId}
        call={call}
        decide={async (decision) => {
          const hadFocus = cardOf(call.callId)?.contains(document.activeElement) === true;
          await port.decide(call.callId, decision);
          const next = waiting.find((id) => id !== call.callId);
          if (hadFocus && next !== undefined) panelOf(next)?.focus();
        }}
        executor={executor}
        position={{ number, count: waiting.length }}
        takesKeys={number === 1}
        schema={schema}
        openFile={port.openFile && ((path, line) => port.openFile?.(path, line))}
        openDiff={port.openDiff && call.preview?.kind === 'diff' ? () => port.openDiff?.(call.callId) : undefined}
        previewArguments={port.previewArguments && ((args) => port.previewArguments!(call.callId, args))}
        freeEdits={() => port.choose({ mode: 'permissive' })}
        onBegun={onBegun}
      />
    </div>
  );
}

const cardOf = (callId: string): HTMLElement | null => document.getElementById(cardId(callId));
const panelOf = (callId: string): HTMLElement | null => cardOf(callId)?.querySelector<HTMLElement>('.cl-approval') ?? null;

/** Where a card stands in the page. */
export const cardId = (callId: string): string => `cl-approval-${callId}`;

/**
 * A call with its question while it waits, and as `children` draw it afterwards. Where somebody else decided while a person was at it, they
 * are told by whom, and that nothing of theirs was sent.
 */
export function WithApproval({ call, children }: { readonly call: CallItem; readonly children: ReactNode }) {
  const [hasBegun, setHasBegun] = useState(false);
  if (call.progress === 'waiting') return <ApprovalCard call={call} onBegun={setHasBegun} />;
  return (
    <>
      {hasBegun && (
        <div className="cl-approval-lost" role="alert">
          <p>{`${sanitiseLine(describeDecision(call.approval), 200)} What you had begun was not used.`}</p>
          <button type="button" className="cl-button cl-button--plain" onClick={() => setHasBegun(false)}>
            Dismiss
          </button>
        </div>
      )}
      {children}
    </>
  );
}

/** How many calls wait, with a way to each of them; nothing where it is one or none. */
export function WaitingCalls() {
  const waiting = useSession(
    (view) => waitingCalls(view),
    (one, other) => one.length === other.length && one.every((call, index) => call === other[index]),
  );
  if (waiting.length < 2) return null;
  return (
    <details className="cl-waiting">
      <summary>
        <span className="cl-chevron" aria-hidden="true" />
        {`${formatPlural(waiting.length, 'call')} wait for you`}
      </summary>
      <ol>
        {waiting.map((call) => (
          <li key={call.callId}>
            <WaitingLine call={call} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function WaitingLine({ call }: { readonly call: CallItem }) {
  const { risk = 'medium' } = call.approval ?? {};
  const go = (): void => {
    const panel = panelOf(call.callId);
    panel?.scrollIntoView({ block: 'center' });
    panel?.focus();
  };
  return (
    <button type="button" onClick={go}>
      <span className="cl-risk" data-risk={risk}>
        {risk}
      </span>
      <code>{toolTitle(call.toolName)}</code>
      <SafeText text={sanitiseLine(describeCall(call.toolName, call.args), 120)} />
    </button>
  );
}
