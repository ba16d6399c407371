import { useState } from 'react';
import { ChoiceField, Filters } from '../../parts/filters.js';
import { Icon } from '../../parts/icons.js';
import { ListView } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { Tag, type Tone } from '../../parts/tag.js';
import { TroubleBox } from '../../parts/trouble-box.js';
import { Ago, Until } from '../../parts/when.js';
import { useList } from '../../resource/use-list.js';
import type { Trouble } from '../../rest/ask.js';
import { removeRule, type Effect, type KeptRule } from '../../rest/rules.js';
import { sessionPath } from '../../rest/sessions.js';
import { Link } from '../../router/link.js';
import { useMay } from '../../shell/signed-in-context.js';
import { AddRule } from './add-rule.js';

const SCOPES = [
  ['', 'any'],
  ['user', 'everywhere'],
  ['project', 'one project'],
  ['session', 'one session'],
] as const;
const REACH: Readonly<Record<string, string>> = Object.fromEntries(SCOPES);
const TONES: Readonly<Record<Effect, Tone>> = { allow: 'good', ask: 'ask', deny: 'bad' };

/** What is decided without asking, and by whose word. */
export function RulesPage({ query }: { query: Readonly<Record<string, string>> }) {
  const { scope = '' } = query;
  const list = useList<KeptRule, 'rules'>('/api/v1/rules', 'rules', { scope, limit: 100 });
  const [adding, setAdding] = useState(false);
  const mayDecide = useMay('approve');
  return (
    <Page
      title="Rules"
      about="They spare questions, or make sure that there is one. Of rules that fit a call, deny counts before ask, and ask before allow."
      actions={
        mayDecide && (
          <button type="button" className="cl-button cl-button--primary" onClick={() => setAdding(true)} disabled={adding}>
            <Icon name="add" size={14} /> Add a rule
          </button>
        )
      }
    >
      {adding && (
        <AddRule
          onDone={() => {
            setAdding(false);
            list.reload();
          }}
          onLeave={() => setAdding(false)}
        />
      )}
      <Filters label="Rules">
        <ChoiceField name="scope" label="Reach" value={scope} choices={SCOPES} />
      </Filters>
      <ListView list={list} empty={<p>No rules. “Always allow” at a question makes one, and so does the button above.</p>}>
        {(items) => (
          <ul className="co-rows" aria-label="Rules">
            {items.map((rule) => (
              <li key={`${rule.rule_id} ${rule.session_id ?? rule.workspace_id ?? ''}`}>
                <RuleRow rule={rule} onRemoved={list.reload} mayRemove={mayDecide} />
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </Page>
  );
}

function RuleRow({ rule, onRemoved, mayRemove }: { rule: KeptRule; onRemoved: () => void; mayRemove: boolean }) {
  const [trouble, setTrouble] = useState<Trouble>();
  const [asked, setAsked] = useState(false);
  const { effect = 'allow' } = rule.rule;
  const remove = async (): Promise<void> => {
    const answer = await removeRule(rule.rule_id);
    if (answer.ok) return onRemoved();
    setTrouble(answer.trouble);
  };
  return (
    <article className="co-row">
      <Tag tone={TONES[effect]}>{effect}</Tag>
      <div className="co-row-main">
        <p>{rule.description}</p>
        <p className="co-faint">
          {REACH[rule.scope]}
          {rule.session_id !== undefined && (
            <>
              {' '}
              <Link to={sessionPath(rule.session_id)}>{rule.session_id}</Link>
            </>
          )}{' '}
          · by {rule.by} · <Ago atMs={rule.created_at_ms} />
          {rule.expires_at_ms !== undefined && (
            <>
              {' '}
              · ends <Until atMs={rule.expires_at_ms} />
            </>
          )}
        </p>
        {trouble && <TroubleBox trouble={trouble} />}
      </div>
      {mayRemove && !asked && (
        <button
          type="button"
          className="co-icon-button"
          aria-label={`Remove: ${rule.description}`}
          title="Remove"
          onClick={() => setAsked(true)}
        >
          <Icon name="remove" />
        </button>
      )}
      {asked && (
        <span className="co-actions">
          <button type="button" className="cl-button cl-button--bad" autoFocus onClick={() => void remove()}>
            Remove
          </button>
          <button type="button" className="cl-button" onClick={() => setAsked(false)}>
            Keep
          </button>
        </span>
      )}
    </article>
  );
}
