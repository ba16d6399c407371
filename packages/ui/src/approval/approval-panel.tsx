import type { JsonSchema } from '@codelab/protocol';
import { chooseRule, planOf, prettyArguments, rememberedBy, schemaOfTool, type RuleChoice } from '@codelab/tools/human';
import { lazy, Suspense, useEffect, useId, useMemo, useReducer, useRef, useState } from 'react';
import type { Decision } from '../port/session-port.js';
import { HunkReview, isTyping } from '../review/hunk-review.js';
import { reviewableOf } from '../review/reviewable.js';
import { beginReview, commentedParts, isBegun, reduceReview } from '../review/review-state.js';
import { hidesSomething, SafeText } from '../text/safe-text.js';
import { ApprovalActions, type ActionMode } from './approval-actions.js';
import { ApprovalHead } from './approval-head.js';
import type { AskedCall } from './asked-call.js';
import { CallPreview } from './preview.js';
import { RejectForm } from './reject-form.js';
import { RuleChooser } from './rule-chooser.js';
import { useArming } from './use-arming.js';

export interface ApprovalPanelProps {
  readonly call: AskedCall;
  /** Rejects with why the decision didn't count. */
  readonly decide: (decision: Decision) => Promise<void>;
  /** Who holds the workspace. */
  readonly executor: 'you' | 'other' | 'none';
  /** `client`: the policy of this machine asks, and takes the call as it is or not at all. */
  readonly origin?: 'server' | 'client';
  /** `2 of 3`, where several wait. */
  readonly position?: { readonly number: number; readonly count: number } | undefined;
  /** Letters decide wherever the focus is, unless something is typed: one panel of a page at most. */
  readonly takesKeys?: boolean;
  /** Arguments of tools from outside. */
  readonly schema?: JsonSchema | undefined;
  readonly openFile?: ((path: string, line?: number) => void) | undefined;
  readonly openDiff?: (() => void) | undefined;
  readonly previewArguments?:
    | ((args: Readonly<Record<string, unknown>>) => Promise<{ readonly kind: string; readonly text: string }>)
    | undefined;
  /** Why the last answer didn't count. */
  readonly refusal?: string | undefined;
  /** The way on for a plan that is accepted so that files are edited unasked. */
  readonly freeEdits?: (() => Promise<void>) | undefined;
  /** Hears that a person has begun something here that would be lost. */
  readonly onBegun?: ((begun: boolean) => void) | undefined;
}

/** The editor is half of all code: it comes when it is asked for, where the host's bundle lets it. */
const EditArguments = lazy(async () => ({ default: (await import('./edit-arguments.js')).EditArguments }));

type Mode = ActionMode | 'reject' | 'allow-rule' | 'deny-rule' | 'edit' | 'hunks';

/** Asks whether a call may run: what it is, where it runs, why it is asked, what it would do; and takes the decision for exactly that (H2). */
export function ApprovalPanel(props: ApprovalPanelProps) {
  const { call, executor, origin = 'server', openFile } = props;
  const [wantedMode, setMode] = useState<Mode>('choose');
  const [choice, setChoice] = useState<RuleChoice>();
  const [isBusy, setIsBusy] = useState(false);
  /** The decision that was taken here is on its way, or has arrived: nothing is lost any more. */
  const [isSent, setIsSent] = useState(false);
  const [fault, setFault] = useState(props.refusal);
  const identity = `${call.argsSha256}\n${String(call.approval?.question ?? 1)}\n${call.args}\n${call.preview?.text ?? ''}`;
  /** What the person reviews; another call or preview is another one, and waits until they have seen it. */
  const [shown, setShown] = useState({ identity, call });
  const reviewable = useMemo(() => (origin === 'client' ? { kind: 'whole' as const } : reviewableOf(shown.call)), [shown.call, origin]);
  const [review, dispatch] = useReducer(reduceReview, reviewable, (first) => beginReview(first.kind === 'hunks' ? first.parts : []));
  const mode = wantedMode === 'hunks' && reviewable.kind !== 'hunks' ? 'choose' : wantedMode;
  const hasBegun = isBegun(review) || mode === 'edit' || mode === 'reject';
  const hasChanged = identity !== shown.identity;
  if (hasChanged && !hasBegun) {
    setShown({ identity, call });
    const next = origin === 'client' ? undefined : reviewableOf(call);
    dispatch({ kind: 'begin', parts: next?.kind === 'hunks' ? next.parts : [] });
  }
  const isArmed = useArming(identity) && !hasChanged;
  const root = useRef<HTMLElement>(null);
  const title = useId();
  const { onBegun } = props;
  useEffect(() => onBegun?.(hasBegun && !isSent), [onBegun, hasBegun, isSent]);

  const decide = (decision: Decision, then?: () => Promise<void>): void => {
    if (isBusy || !isArmed) return;
    setIsBusy(true);
    setIsSent(true);
    setFault(undefined);
    const bound = call.argsSha256 === '' ? decision : { ...decision, argsSha256: shown.call.argsSha256 };
    props
      .decide(bound)
      .then(then)
      .catch((error: unknown) => {
        setIsSent(false);
        setFault(error instanceof Error ? error.message : String(error));
      })
      .finally(() => setIsBusy(false));
  };
  const takeNew = (): void => {
    setShown({ identity, call });
    const next = reviewableOf(call);
    dispatch({ kind: 'begin', parts: next.kind === 'hunks' ? next.parts : [] });
    setMode('choose');
  };
  const choices = call.approval?.choices ?? [];
  const can = (decision: string): boolean =>
    (choices.length === 0 || choices.includes(decision)) && !(origin === 'client' && decision === 'edit');
  const plan = planOf(call);
  const open = (next: Mode): void => {
    setFault(undefined);
    if (next === 'allow-rule' || next === 'deny-rule') setChoice(chooseRule(call, next === 'allow-rule' ? 'approve' : 'reject'));
    setMode(next);
  };
  const back = (): void => {
    setMode('choose');
    root.current?.focus();
  };
  const actions = {
    approve: can('approve') ? () => decide({ decision: 'approve' }) : undefined,
    free: plan !== undefined && props.freeEdits ? () => decide({ decision: 'approve' }, props.freeEdits) : undefined,
    remember: can('approve') && origin === 'server' && chooseRule(call, 'approve') ? () => open('allow-rule') : undefined,
    reject: can('reject') ? () => open('reject') : undefined,
    never: can('reject') && origin === 'server' && chooseRule(call, 'reject') ? () => open('deny-rule') : undefined,
    edit: can('edit') && plan === undefined ? () => open('edit') : undefined,
    hunks: can('edit') && reviewable.kind === 'hunks' ? () => open('hunks') : undefined,
  };
  useKeys({ root, isOn: props.takesKeys === true && mode === 'choose' && isArmed && !isBusy, actions });
  const isFrozen = isBusy || hasChanged;
  const hides = useMemo(() => hidesSomething(`${prettyArguments(shown.call.args)}${shown.call.preview?.text ?? ''}`), [shown.call]);
  return (
    <section
      ref={root}
      className="cl-approval"
      data-risk={call.approval?.risk ?? 'medium'}
      data-plan={plan !== undefined || undefined}
      data-armed={isArmed || undefined}
      aria-labelledby={title}
      tabIndex={-1}
    >
      <ApprovalHead id={title} call={call} executor={executor} origin={origin} position={props.position} isPlan={plan !== undefined} />
      {hasChanged && (
        <div className="cl-approval-news" role="alert">
          <p>
            The call has changed since you looked at it: another preview or other arguments. What you have begun is about the version
            before, and can’t be decided any more.
          </p>
          <button type="button" className="cl-button" onClick={takeNew}>
            Show the new version
          </button>
        </div>
      )}
      {hides && (
        <p className="cl-approval-warning">
          It holds characters that are invisible or that steer a terminal. They are shown like <SafeText text={'\u001b'} />.
        </p>
      )}
      {mode === 'hunks' ? (
        <HunkReview state={review} dispatch={dispatch} isFrozen={isFrozen} />
      ) : (
        mode !== 'edit' && <CallPreview toolName={call.toolName} args={shown.call.args} preview={shown.call.preview} openFile={openFile} />
      )}
      {mode === 'edit' && (
        <Suspense fallback={<p className="cl-approval-note">Loading the editor…</p>}>
          <EditArguments
            toolName={call.toolName}
            args={shown.call.args}
            schema={props.schema ?? schemaOfTool(call.toolName)}
            isBusy={isFrozen}
            onApprove={(modifiedArgs) => decide({ decision: 'edit', modifiedArgs })}
            onBack={back}
            preview={props.previewArguments}
          />
        </Suspense>
      )}
      {choice && (mode === 'allow-rule' || mode === 'deny-rule') && <RuleChooser call={call} choice={choice} onChange={setChoice} />}
      {fault !== undefined && (
        <p className="cl-fault" role="alert">
          <SafeText text={fault} />
        </p>
      )}
      {isBusy && (
        <p className="cl-approval-note" role="status">
          Sending the decision…
        </p>
      )}
      {mode === 'reject' && (
        <RejectForm
          isBusy={isFrozen}
          onBack={back}
          onReject={(words) => decide({ decision: 'reject', feedback: words === '' ? undefined : words })}
        />
      )}
      {mode !== 'reject' && mode !== 'edit' && (
        <ApprovalActions
          {...{
            mode: mode === 'hunks' ? 'hunks' : choice && mode !== 'choose' ? mode : 'choose',
            actions,
            isPlan: plan !== undefined,
            isBusy: isFrozen,
          }}
          outcome={reviewable.kind === 'hunks' && mode === 'hunks' ? reviewable.conclude(commentedParts(review)) : undefined}
          isUndecided={review.parts.some(({ verdict }) => verdict === 'open')}
          why={reviewable.kind === 'whole' ? reviewable.why : undefined}
          onBack={back}
          onRule={() => choice && decide({ decision: choice.decision, remember: rememberedBy(choice) })}
          onReviewed={(outcome) => {
            if (outcome.decision !== 'none') decide(outcome);
          }}
          openDiff={props.openDiff}
        />
      )}
      {plan === undefined && mode === 'choose' && call.preview && <Arguments call={shown.call} />}
    </section>
  );
}

/** The letters of the actions. Enter is none of them: whoever writes a message presses it. */
const LETTERS = { y: 'approve', f: 'free', m: 'remember', n: 'reject', x: 'never', e: 'edit', h: 'hunks' } as const;

interface KeyOptions {
  readonly root: { readonly current: HTMLElement | null };
  readonly isOn: boolean;
  readonly actions: Readonly<Partial<Record<(typeof LETTERS)[keyof typeof LETTERS], (() => void) | undefined>>>;
}

function useKeys({ root, isOn, actions }: KeyOptions): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const take = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.composedPath()[0] ?? null;
      if (isTyping({ target })) return;
      const other =
        target instanceof Element ? target.closest('.cl-approval, .cl-question, .cl-diff-rows, dialog, [role=menu], [role=listbox]') : null;
      if (other !== null && !root.current?.contains(other)) return;
      const action = Object.hasOwn(LETTERS, event.key) ? actions[LETTERS[event.key as keyof typeof LETTERS]] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', take);
    return () => document.removeEventListener('keydown', take);
  });
}

function Arguments({ call }: { readonly call: AskedCall }) {
  return (
    <details className="cl-approval-arguments">
      <summary>
        <span className="cl-chevron" aria-hidden="true" />
        Arguments
      </summary>
      <pre tabIndex={0} aria-label="Arguments">
        <SafeText text={prettyArguments(call.args)} />
      </pre>
      {call.argsSha256 !== '' && <p className="cl-approval-digest">{`SHA-256 ${call.argsSha256}`}</p>}
    </details>
  );
}
