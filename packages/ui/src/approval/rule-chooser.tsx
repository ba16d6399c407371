import {
  describeRule,
  RULE_SCOPES,
  ruleExamples,
  SCOPE_WORDS,
  type DecidedCall,
  type RuleChoice,
  type RuleScope,
} from '@codelab/tools/human';
import { useId, useMemo } from 'react';
import { SafeText } from '../text/safe-text.js';

interface RuleChooserProps {
  readonly call: DecidedCall;
  readonly choice: RuleChoice;
  readonly onChange: (choice: RuleChoice) => void;
}

const SCOPE_DETAILS: Readonly<Record<RuleScope, string>> = {
  session: 'Ends with it',
  project: 'In all of its conversations',
  user: 'In all of your folders',
};

/** Which rule is made of a decision, and how far it reaches: with what each would let run unasked, and what not. */
export function RuleChooser({ call, choice, onChange }: RuleChooserProps) {
  const id = useId();
  const allows = choice.decision === 'approve';
  return (
    <div className="cl-rules">
      <fieldset>
        <legend>{allows ? 'What may run from now on, unasked?' : 'What is refused from now on?'}</legend>
        {choice.proposals.map((proposal, index) => (
          <label key={index} className="cl-rule" data-picked={index === choice.picked || undefined}>
            <input
              type="radio"
              name={`${id}-rule`}
              checked={index === choice.picked}
              onChange={() => onChange({ ...choice, picked: index })}
            />
            <span className="cl-rule-words">
              <span className="cl-rule-says">
                <SafeText text={proposal.allows} />
              </span>
              {index === choice.picked && <RuleDetails call={call} choice={choice} />}
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset className="cl-scopes">
        <legend>For</legend>
        {RULE_SCOPES.map((scope) => (
          <label key={scope} className="cl-scope" data-picked={scope === choice.scope || undefined}>
            <input type="radio" name={`${id}-scope`} checked={scope === choice.scope} onChange={() => onChange({ ...choice, scope })} />
            <span>
              {SCOPE_WORDS[scope]}
              <small>{SCOPE_DETAILS[scope]}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

/** The rule as it is, since its sentence came with it and may say something else, and examples that the policy judged. */
function RuleDetails({ call, choice }: Omit<RuleChooserProps, 'onChange'>) {
  const { rule } = choice.proposals[choice.picked]!;
  const { runs, asks } = useMemo(
    () => (choice.decision === 'approve' ? ruleExamples(rule, call) : { runs: [], asks: [] }),
    [rule, call, choice.decision],
  );
  return (
    <>
      <span className="cl-rule-exact">
        <SafeText text={describeRule(rule)} />
      </span>
      {runs.length > 0 && <Examples title="Would run" examples={runs} tone="good" />}
      {asks.length > 0 && <Examples title="Would still ask" examples={asks} tone="muted" />}
    </>
  );
}

function Examples({ title, examples, tone }: { readonly title: string; readonly examples: readonly string[]; readonly tone: string }) {
  return (
    <span className="cl-rule-examples" data-tone={tone}>
      <span className="cl-rule-title">{title}</span>
      {examples.map((example) => (
        <code key={example}>
          <SafeText text={example} />
        </code>
      ))}
    </span>
  );
}
