import { useId, useState } from 'react';
import { shownProgress, type CallItem } from '@codelab/client/view';
import { WithApproval } from '../approval/approval-card.js';
import { ChevronIcon } from '../text/icons.js';
import { CallDetails } from './call-details.js';
import { CallImages } from './call-images.js';
import { CallLine } from './call-line.js';
import { CallNews } from './call-news.js';
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
      <CallImages call={call} />
      {(steps.length > 0 || call.activity) && <TaskSteps call={call} steps={steps} isOpen={isOpen} />}
      <div id={id} hidden={!isOpen} className="cl-call__details">
        {isOpen && <CallDetails call={call} />}
      </div>
    </div>
  );
}
