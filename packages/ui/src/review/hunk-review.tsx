import { canSplit, pathOfPart, toDiffFile, toDiffHunk, withNeighbours, type ReviewPart } from '@codelab/tools/patch';
import { lazy, memo, Suspense, useEffect, useMemo, useRef, useState, type Dispatch, type KeyboardEvent } from 'react';
import { FileName, Row } from '../diff/diff-row.js';
import { DiffRows } from '../diff/diff-rows-list.js';
import { rowsOfHunk, titleOfFile } from '../diff/diff-rows.js';
import { placeOf } from './reviewable.js';
import { describeTally, type ReviewAction, type ReviewState } from './review-state.js';

/** Comes when it is asked for, as the editor of arguments does. */
const HunkEditor = lazy(async () => ({ default: (await import('./hunk-editor.js')).HunkEditor }));

interface HunkReviewProps {
  readonly state: ReviewState;
  readonly dispatch: Dispatch<ReviewAction>;
  /** Nothing can be decided just now; what was decided stays in sight. */
  readonly isFrozen?: boolean;
  /** Whether somebody reads what is said of a part. */
  readonly takesComments?: boolean;
}

/** Keys of a part, while the review has the focus and nothing is typed. */
const KEYS: Readonly<Record<string, (at: number, parts: readonly ReviewPart[]) => ReviewAction>> = {
  y: (at) => ({ kind: 'decide', verdict: 'keep', at, reach: 'part' }),
  n: (at) => ({ kind: 'decide', verdict: 'drop', at, reach: 'part' }),
  u: (at) => ({ kind: 'decide', verdict: 'open', at, reach: 'part' }),
  a: (at) => ({ kind: 'decide', verdict: 'keep', at, reach: 'file' }),
  d: (at) => ({ kind: 'decide', verdict: 'drop', at, reach: 'file' }),
  A: (at) => ({ kind: 'decide', verdict: 'keep', at, reach: 'all' }),
  e: (at) => ({ kind: 'edit', at }),
  s: (at) => ({ kind: 'split', at }),
  j: (at) => ({ kind: 'go', to: at + 1 }),
  k: (at) => ({ kind: 'go', to: at - 1 }),
  ArrowDown: (at) => ({ kind: 'go', to: at + 1 }),
  ArrowUp: (at) => ({ kind: 'go', to: at - 1 }),
};

/** The changes of a patch, each of them to be kept, dropped, edited or commented. */
export function HunkReview({ state, dispatch, isFrozen = false, takesComments = true }: HunkReviewProps) {
  const { parts, current, editing, fault, comments } = state;
  const list = useRef<HTMLDivElement>(null);
  const byKey = useRef(false);
  useEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    list.current?.querySelector<HTMLElement>(`[data-part='${current}']`)?.focus();
  }, [current, parts, editing]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isFrozen || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const action = KEYS[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    byKey.current = true;
    dispatch(action(current, parts));
  };
  return (
    <div className="cl-review" onKeyDown={onKeyDown} ref={list}>
      <div className="cl-review-bar">
        <span role="status">{describeTally(parts)}</span>
        <span className="cl-review-all">
          <button
            type="button"
            className="cl-button cl-button--plain"
            disabled={isFrozen || parts.every(({ verdict }) => verdict !== 'open')}
            onClick={() =>
              dispatch({ kind: 'decide', verdict: 'keep', at: parts.findIndex(({ verdict }) => verdict === 'open'), reach: 'all' })
            }
          >
            Keep the rest
          </button>
          <button
            type="button"
            className="cl-button cl-button--plain"
            disabled={isFrozen || parts.every(({ verdict }) => verdict !== 'open')}
            onClick={() =>
              dispatch({ kind: 'decide', verdict: 'drop', at: parts.findIndex(({ verdict }) => verdict === 'open'), reach: 'all' })
            }
          >
            Drop the rest
          </button>
        </span>
      </div>
      {parts.map((part, index) => (
        <Part
          key={`${part.chunk.number}-${part.hunk?.oldStart ?? 0}-${part.hunk?.newStart ?? 0}`}
          {...{ part, index, dispatch, isFrozen, takesComments }}
          before={sameChunk(parts[index - 1], part)}
          after={sameChunk(parts[index + 1], part)}
          count={parts.length}
          isFirstOfFile={parts[index - 1]?.chunk.file !== part.chunk.file}
          isCurrent={index === current}
          isEditing={index === editing}
          fault={index === current ? fault : undefined}
          comment={comments[index] ?? ''}
        />
      ))}
    </div>
  );
}

const sameChunk = (other: ReviewPart | undefined, part: ReviewPart): ReviewPart | undefined =>
  other?.chunk === part.chunk ? other : undefined;

/** Whether a key goes into something that is written. */
export function isTyping(event: { readonly target: EventTarget | null; readonly nativeEvent?: Event }): boolean {
  const inside = event.nativeEvent?.composedPath()[0] ?? event.target;
  return inside instanceof HTMLElement && inside.closest('input, textarea, select, [contenteditable="true"], .cm-editor') !== null;
}

interface PartProps {
  readonly part: ReviewPart;
  readonly before: ReviewPart | undefined;
  readonly after: ReviewPart | undefined;
  readonly index: number;
  readonly count: number;
  readonly isFirstOfFile: boolean;
  readonly isCurrent: boolean;
  readonly isEditing: boolean;
  readonly isFrozen: boolean;
  readonly takesComments: boolean;
  readonly fault: string | undefined;
  readonly comment: string;
  readonly dispatch: Dispatch<ReviewAction>;
}

const Part = memo(function Part(props: PartProps) {
  const { part, index, count, isFirstOfFile, isCurrent, isEditing, isFrozen, fault, comment, dispatch } = props;
  const verdict = verdictOf(part);
  const decide = (wanted: 'keep' | 'drop') => () =>
    dispatch({ kind: 'decide', verdict: part.verdict === wanted ? 'open' : wanted, at: index, reach: 'part' });
  return (
    <>
      {isFirstOfFile && (
        <div className="cl-diff-file">
          <FileName title={titleOfFile(toDiffFile(part.chunk.file))} />
        </div>
      )}
      <article
        className="cl-hunk"
        data-part={index}
        data-verdict={part.verdict}
        data-current={isCurrent || undefined}
        tabIndex={-1}
        aria-label={`Change ${index + 1} of ${count}: ${placeOf(part)}${verdict === undefined ? '' : `, ${verdict}`}`}
        onPointerDown={() => {
          if (!isCurrent) dispatch({ kind: 'go', to: index });
        }}
      >
        <header className="cl-hunk-head">
          <span className="cl-hunk-place">
            {`Change ${index + 1} of ${count}`}
            {verdict !== undefined && (
              <span className="cl-hunk-verdict" data-verdict={part.verdict}>
                <span aria-hidden="true">{part.verdict === 'drop' ? '✗ ' : '✓ '}</span>
                {verdict}
              </span>
            )}
          </span>
          <span className="cl-hunk-tools">
            <Choice label="Keep" hint="y" isPressed={part.verdict === 'keep'} isOff={isFrozen} onPress={decide('keep')} tone="good" />
            <Choice label="Drop" hint="n" isPressed={part.verdict === 'drop'} isOff={isFrozen} onPress={decide('drop')} tone="bad" />
            {part.hunk && (
              <Choice
                label="Edit"
                hint="e"
                isPressed={isEditing}
                isOff={isFrozen}
                onPress={() => dispatch(isEditing ? { kind: 'leave' } : { kind: 'edit', at: index })}
              />
            )}
            {canSplit(part) && <Choice label="Split" hint="s" isOff={isFrozen} onPress={() => dispatch({ kind: 'split', at: index })} />}
          </span>
        </header>
        {isEditing && part.hunk ? (
          <Suspense fallback={<p className="cl-approval-note">Loading the editor…</p>}>
            <HunkEditor
              part={part}
              endsChunk={props.after === undefined}
              onTake={(lines) => dispatch({ kind: 'take', at: index, lines })}
              onLeave={() => dispatch({ kind: 'leave' })}
            />
          </Suspense>
        ) : (
          <PartLines part={part} before={props.before} after={props.after} />
        )}
        {fault !== undefined && (
          <p className="cl-fault" role="alert">
            {fault}
          </p>
        )}
        {props.takesComments && (
          <Comment text={comment} isOff={isFrozen} onChange={(text) => dispatch({ kind: 'comment', at: index, text })} />
        )}
      </article>
    </>
  );
});

/** Fewer lines are drawn as they are. */
const MAX_PLAIN_LINES = 240;
const NOTHING: ReadonlySet<string> = new Set();

function PartLines({ part, before, after }: Pick<PartProps, 'part' | 'before' | 'after'>) {
  const path = pathOfPart(part);
  const [opened, setOpened] = useState(NOTHING);
  const actions = { onFold: (fold: string) => setOpened(new Set([...opened, fold])), onClose: () => undefined };
  const rows = useMemo(() => {
    const shown = withNeighbours([...(before ? [before] : []), part, ...(after ? [after] : [])], before ? 1 : 0);
    return shown && rowsOfHunk(toDiffHunk(shown), { section: 0, at: 0, layout: { mode: 'unified', opened } });
  }, [part, before, after, opened]);
  if (rows === undefined) return <p className="cl-diff-note">No line of the file changes.</p>;
  if (rows.length > MAX_PLAIN_LINES)
    return <DiffRows rows={rows} pathOf={() => path} actions={actions} label={`The lines of ${placeOf(part)}`} />;
  return (
    <div className="cl-diff-rows">
      {rows.map((row) => (
        <Row key={row.key} row={row} path={path} actions={actions} />
      ))}
    </div>
  );
}

function Comment({ text, isOff, onChange }: { readonly text: string; readonly isOff: boolean; readonly onChange: (text: string) => void }) {
  return (
    <details className="cl-hunk-comment" open={text !== '' || undefined}>
      <summary>{text.trim() === '' ? 'Comment' : 'Comment for the model'}</summary>
      <textarea
        aria-label="Comment for the model"
        placeholder="What should the model know about this change?"
        rows={2}
        maxLength={2_000}
        disabled={isOff}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </details>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly hint: string;
  readonly isPressed?: boolean;
  readonly isOff: boolean;
  readonly onPress: () => void;
  readonly tone?: 'good' | 'bad';
}

function Choice({ label, hint, isPressed, isOff, onPress, tone }: ChoiceProps) {
  return (
    <button
      type="button"
      className="cl-button cl-button--plain cl-choice"
      data-tone={tone}
      aria-pressed={isPressed}
      aria-keyshortcuts={hint}
      disabled={isOff}
      onClick={onPress}
    >
      {label}
      <kbd aria-hidden="true">{hint}</kbd>
    </button>
  );
}

const verdictOf = ({ verdict, edited }: ReviewPart): string | undefined =>
  verdict === 'open' ? undefined : verdict === 'drop' ? 'dropped' : edited ? 'edited' : 'kept';
