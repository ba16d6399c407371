import { useId, useState, type FormEvent } from 'react';
import { TroubleBox } from '../../parts/trouble-box.js';
import type { Trouble } from '../../rest/ask.js';
import { addRule, type Effect, type NewRule, type Scope } from '../../rest/rules.js';

type Kind = 'any' | 'path' | 'command' | 'host';

/** A rule made by hand: tool, what of it, what becomes of it, how far it reaches. */
export function AddRule({ onDone, onLeave }: { onDone: () => void; onLeave: () => void }) {
  const [trouble, setTrouble] = useState<Trouble>();
  const [scope, setScope] = useState<Scope>('user');
  const [kind, setKind] = useState<Kind>('any');
  const id = useId();

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const answer = await addRule(toRule(new FormData(event.currentTarget)));
    if (answer.ok) onDone();
    else setTrouble(answer.trouble);
  };
  return (
    <form className="co-card co-form" aria-label="Add a rule" onSubmit={(event) => void submit(event)}>
      <div className="co-fields">
        <label htmlFor={`${id}effect`}>
          Effect
          <select id={`${id}effect`} name="effect" autoFocus>
            <option value="allow">allow without asking</option>
            <option value="ask">always ask</option>
            <option value="deny">deny</option>
          </select>
        </label>
        <label htmlFor={`${id}tool`}>
          Tool
          <input
            id={`${id}tool`}
            name="tool"
            required
            maxLength={128}
            placeholder="write_file, run_command, mcp__github__*"
            spellCheck={false}
          />
        </label>
        <label htmlFor={`${id}kind`}>
          Limited to
          <select id={`${id}kind`} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
            <option value="any">nothing: each call of it</option>
            <option value="path">paths</option>
            <option value="command">a command</option>
            <option value="host">a host</option>
          </select>
        </label>
        {kind === 'path' && (
          <label htmlFor={`${id}path`}>
            Paths
            <input id={`${id}path`} name="path" required maxLength={255} placeholder="src/**/*.ts" spellCheck={false} />
          </label>
        )}
        {kind === 'command' && (
          <label htmlFor={`${id}command`}>
            First words of the command
            <input id={`${id}command`} name="command" required placeholder="npm test" spellCheck={false} />
          </label>
        )}
        {kind === 'host' && (
          <label htmlFor={`${id}host`}>
            Host
            <input id={`${id}host`} name="host" required maxLength={253} placeholder="*.example.com" spellCheck={false} />
          </label>
        )}
        <label htmlFor={`${id}scope`}>
          Reach
          <select id={`${id}scope`} name="scope" value={scope} onChange={(event) => setScope(event.target.value as Scope)}>
            <option value="user">everywhere</option>
            <option value="project">one project</option>
            <option value="session">one session</option>
          </select>
        </label>
        {scope !== 'user' && (
          <label htmlFor={`${id}where`}>
            {scope === 'session' ? 'Session id' : 'Workspace id'}
            <input id={`${id}where`} name="where" required spellCheck={false} />
          </label>
        )}
      </div>
      {trouble && <TroubleBox trouble={trouble} />}
      <p className="co-actions">
        <button type="submit" className="cl-button cl-button--primary">
          Add the rule
        </button>
        <button type="button" className="cl-button" onClick={onLeave}>
          Cancel
        </button>
      </p>
    </form>
  );
}

/** What stands in the form as the gateway wants it; the gateway judges it. */
function toRule(form: FormData): NewRule {
  const text = (name: string): string | undefined => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const scope = text('scope') as Scope; // of the choices above, as is `effect`
  return {
    scope,
    session_id: scope === 'session' ? text('where') : undefined,
    workspace_id: scope === 'project' ? text('where') : undefined,
    rule: {
      effect: text('effect') as Effect,
      tool: text('tool') ?? '',
      path: text('path'),
      host: text('host'),
      command: text('command')?.split(/\s+/),
    },
  };
}
