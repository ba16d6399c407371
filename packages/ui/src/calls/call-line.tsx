import { callFacts, isSettled, shownProgress, type CallItem } from '@codelab/client/view';
import { describeCall, planOf, sanitiseLine, toolTitle } from '@codelab/tools/human';
import { useNow } from '../hooks/use-now.js';
import { StateIcon } from './state-icon.js';

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
