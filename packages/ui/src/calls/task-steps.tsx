import type { ReactNode } from 'react';
import { formatPlural, type CallItem } from '@codelab/client/view';
import { describeCall, sanitiseLine, toolTitle } from '@codelab/tools/human';
import { CallLine } from './call-line.js';

interface TaskStepsProps {
  readonly call: CallItem;
  readonly steps: readonly CallItem[];
  readonly isOpen: boolean;
}

/** What the agent of a task does: now, in one line; all of it where the call is open. */
export function TaskSteps({ call: { activity, progress }, steps, isOpen }: TaskStepsProps): ReactNode {
  if (isOpen && steps.length > 0)
    return (
      <ol className="cl-steps" aria-label="What the agent of this task did">
        {steps.map((step) => (
          <li key={step.callId} className="cl-steps__step">
            <CallLine call={step} />
          </li>
        ))}
      </ol>
    );
  if (activity === undefined || progress !== 'running') return null;
  const { toolName, args } = activity.latest;
  return (
    <p className="cl-steps__now">
      {formatPlural(activity.calls, 'call')} · {toolTitle(toolName)} {sanitiseLine(describeCall(toolName, args), 200)}
    </p>
  );
}
