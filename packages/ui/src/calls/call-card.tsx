import { useId, useState } from 'react';
import { callFacts, isSettled, shownProgress, type CallItem } from '@codelab/client/view';
import { describeCall, planOf, sanitiseLine, toolTitle } from '@codelab/tools/human';
import { WithApproval } from '../approval/approval-card.js';
import { useNow } from '../hooks/use-now.js';
import { ChevronIcon } from '../text/icons.js';
import { CallDetails } from './call-details.js';
import { CallNews } from './call-news.js';
import { StateIcon } from './state-icon.js';
import { TaskSteps } from './task-steps.js';

interface CallCardProps {
  readonly call: CallItem;
  /** Of a call of `task`: what its agent did, oldest first. */
  readonly steps?: readonly CallItem[];
}

const NO_STEPS: readonly CallItem[] = [];

/** A tool call: the question while it waits for a decision, then what becomes of it. */
export function CallCard({ call, steps = NO_STEPS }: CallCardProps) {
  return (
    <WithApproval call={call}>
      <ToldCall call={call} steps={steps} />
    </WithApproval>
  );
}

/** One line with its state, what it is about and how long it took; below it what people should see at once, and all of it on demand. */
function ToldCall({ call, steps }: Required<CallCardProps>) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className={`cl-call cl-call--${shownProgress(call)}`}>
      <button type="button" className="cl-call__head" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        <CallLine call={call} />
        <ChevronIcon />
      </button>
      <CallNews call={call} />
      {(steps.length > 0 || call.activity) && <TaskSteps call={call} steps={steps} isOpen={isOpen} />}
      <div id={id} hidden={!isOpen} className="cl-call__details">
        {isOpen && <CallDetails call={call} />}
      </div>
    </div>
  );
}

/** `✓ read_file src/a.ts · 120 lines · 0.3 s` */
export function CallLine({ call }: { readonly call: CallItem }) {
  const now = useNow(!isSettled(call));
  const argument = planOf(call) === undefined ? sanitiseLine(describeCall(call.toolName, call.args), 400) : 'a plan';
  const facts = callFacts(call, now).map((fact) => sanitiseLine(fact, 120));
  return (
    <>
      <StateIcon progress={shownProgress(call)} />
      <span className="cl-call__name">{toolTitle(call.toolName)}</span>
      <span className="cl-call__argument">{argument}</span>
      {facts.length > 0 && <span className="cl-call__facts">{facts.join(' · ')}</span>}
    </>
  );
}
