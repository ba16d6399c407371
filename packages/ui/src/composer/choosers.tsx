import { useState } from 'react';
import { describeMode, modeNamed, modeNameOf, PERMISSION_MODES } from '@codelab/client/view';
import { sanitiseLine } from '@codelab/tools/human';
import type { SessionMode } from '@codelab/protocol';
import { SafeText } from '../text/safe-text.js';
import type { Choice } from '../port/port-facts.js';
import { useFacts, usePort, useSession } from '../port/session-context.js';
import type { SessionChoice } from '../port/session-port.js';

const NONE: readonly Choice[] = [];
const MODES: readonly Choice[] = PERMISSION_MODES.map((name) => ({ value: modeNamed(name), label: name, detail: describeMode(name) }));

/** Which agent works, how much it asks, and which model thinks. What the host can't choose from is only said. */
export function Choosers() {
  const port = usePort();
  const [problem, setProblem] = useState<string>();
  const { model, agent, mode } = useSession(
    (view) => ({ model: view.model, agent: view.agent, mode: view.mode }),
    (one, other) => one.model === other.model && one.agent === other.agent && one.mode === other.mode,
  );
  const models = useFacts((facts) => facts.models ?? NONE);
  const agents = useFacts((facts) => facts.agents ?? NONE);
  const modes = useFacts((facts) => facts.modes ?? MODES);
  const choose = (what: SessionChoice): void => {
    setProblem(undefined);
    port.choose(what).catch((error: Error) => setProblem(error.message));
  };
  return (
    <>
      <Chooser
        name="Mode"
        value={modeNamed(modeNameOf(mode))}
        choices={modes}
        onChoose={(value) => choose({ mode: value as SessionMode })}
      />
      <Chooser name="Agent" value={agent} choices={agents} onChoose={(value) => choose({ agent: value })} />
      <Chooser name="Model" value={model} choices={models} onChoose={(value) => choose({ model: value })} />
      {problem !== undefined && (
        <span className="cl-bad" role="alert">
          <SafeText text={problem} />
        </span>
      )}
    </>
  );
}

interface ChooserProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly choices: readonly Choice[];
  readonly onChoose: (value: string) => void;
}

function Chooser({ name, value, choices, onChoose }: ChooserProps) {
  const current = choices.find((choice) => choice.value === value);
  if (choices.length === 0)
    return value === undefined ? null : (
      <span className="cl-choice cl-choice--fixed" title={name}>
        <span className="cl-hidden">{name}: </span>
        {sanitiseLine(value, 60)}
      </span>
    );
  return (
    <span className="cl-choice" title={current?.detail === undefined ? name : sanitiseLine(current.detail)}>
      <select aria-label={name} value={current === undefined ? '' : value} onChange={(event) => onChoose(event.target.value)}>
        {current === undefined && (
          <option value="" disabled>
            {value === undefined ? name.toLowerCase() : sanitiseLine(value, 60)}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} title={choice.detail === undefined ? undefined : sanitiseLine(choice.detail)}>
            {sanitiseLine(choice.label ?? choice.value, 60)}
          </option>
        ))}
      </select>
    </span>
  );
}
