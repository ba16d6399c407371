import type { ReviewOutcome } from '../review/reviewable.js';

/** What the row of buttons is about. */
export type ActionMode = 'choose' | 'hunks' | 'allow-rule' | 'deny-rule';

type Action = (() => void) | undefined;

interface ActionsProps {
  readonly mode: ActionMode;
  readonly isPlan: boolean;
  readonly isBusy: boolean;
  readonly actions: Readonly<Record<'approve' | 'free' | 'remember' | 'reject' | 'never' | 'edit' | 'hunks', Action>>;
  /** What a review comes to as it stands. */
  readonly outcome: ReviewOutcome | undefined;
  readonly isUndecided: boolean;
  /** Why no part of the changes can be chosen. */
  readonly why: string | undefined;
  readonly onBack: () => void;
  readonly onRule: () => void;
  readonly onReviewed: (outcome: ReviewOutcome) => void;
  readonly openDiff: Action;
}

/** The decisions that are possible, each with its letter. */
export function ApprovalActions(props: ActionsProps) {
  const { mode, actions, isPlan, isBusy, why, onBack, openDiff } = props;
  if (mode === 'hunks') return <ReviewActions {...props} />;
  if (mode !== 'choose')
    return (
      <div className="cl-actions">
        <Button primary={mode === 'allow-rule'} bad={mode === 'deny-rule'} isBusy={isBusy} action={props.onRule}>
          {mode === 'allow-rule' ? 'Approve and remember' : 'Reject and remember'}
        </Button>
        <Button plain action={onBack}>
          Back
        </Button>
      </div>
    );
  return (
    <>
      <div className="cl-actions" role="group" aria-label="Decision">
        <Button primary letter="y" isBusy={isBusy} action={actions.approve}>
          {isPlan ? 'Carry it out' : 'Approve'}
        </Button>
        <Button letter="f" isBusy={isBusy} action={actions.free}>
          Carry it out, edit freely
        </Button>
        <Button letter="n" bad isBusy={isBusy} action={actions.reject}>
          {isPlan ? 'Say what to change…' : 'Reject…'}
        </Button>
        <span className="cl-actions-more">
          <Button plain letter="h" isBusy={isBusy} action={actions.hunks}>
            Choose changes
          </Button>
          <Button plain letter="e" isBusy={isBusy} action={actions.edit}>
            Edit
          </Button>
          <Button plain letter="m" isBusy={isBusy} action={actions.remember}>
            Remember…
          </Button>
          <Button plain letter="x" isBusy={isBusy} action={actions.never}>
            Never…
          </Button>
          <Button plain action={openDiff}>
            Open diff
          </Button>
        </span>
      </div>
      {why !== undefined && <p className="cl-approval-note">{why}</p>}
    </>
  );
}

/** A review ends with what it comes to, said beforehand. */
function ReviewActions({ outcome, isUndecided, isBusy, onReviewed, onBack }: ActionsProps) {
  if (outcome === undefined) return null;
  const words = {
    approve: 'Approve all of it',
    edit: 'Approve what is kept',
    reject: 'Reject all of it',
    none: 'It can’t be decided like that',
  } as const;
  return (
    <>
      {outcome.decision === 'none' && <p className="cl-fault">{outcome.why}</p>}
      <div className="cl-actions">
        <Button
          primary={outcome.decision !== 'reject'}
          bad={outcome.decision === 'reject'}
          isBusy={isBusy || isUndecided || outcome.decision === 'none'}
          action={() => onReviewed(outcome)}
        >
          {words[outcome.decision]}
        </Button>
        <Button plain action={onBack}>
          Back
        </Button>
        {isUndecided && <span className="cl-approval-note">Keep or drop each change first.</span>}
      </div>
    </>
  );
}

interface ButtonProps {
  readonly children: string;
  readonly action: Action;
  readonly letter?: string;
  readonly primary?: boolean;
  readonly bad?: boolean;
  readonly plain?: boolean;
  readonly isBusy?: boolean;
}

function Button({ children, action, letter, primary, bad, plain, isBusy }: ButtonProps) {
  if (action === undefined) return null;
  const kind = primary ? ' cl-button--primary' : bad ? ' cl-button--bad' : plain ? ' cl-button--plain' : '';
  return (
    <button type="button" className={`cl-button${kind}`} disabled={isBusy} onClick={action} aria-keyshortcuts={letter}>
      {children}
      {letter !== undefined && (
        <kbd className="cl-key" aria-hidden="true">
          {letter}
        </kbd>
      )}
    </button>
  );
}
