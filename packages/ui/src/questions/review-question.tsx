import { concludeReview, parsePatch, PatchError, partsOfPatch, tallyParts, type ReviewPart } from '@codelab/tools/patch';
import { useReducer, useState } from 'react';
import { DiffView } from '../diff/diff-view.js';
import type { QuestionAnswer, ReviewQuestion } from '../port/question.js';
import { HunkReview } from '../review/hunk-review.js';
import { beginReview, isBegun, reduceReview } from '../review/review-state.js';
import { QuestionFrame } from './question-frame.js';

interface ReviewProps {
  readonly question: ReviewQuestion;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}

/** The model wants a patch reviewed. Nothing is applied by that: it hears what is kept. */
export function ReviewQuestionCard({ question, isBusy, onAnswer }: ReviewProps) {
  const [parts] = useState(() => readParts(question.diff));
  return (
    <QuestionFrame who="The model asks which changes you keep" message={question.message ?? ''}>
      {parts === undefined ? (
        <>
          <DiffView diff={question.diff} />
          <div className="cl-actions">
            <button type="button" className="cl-button" disabled={isBusy} onClick={() => onAnswer({ kind: 'decline' })}>
              Cancel the review
            </button>
          </div>
        </>
      ) : (
        <Review parts={parts} isBusy={isBusy} onAnswer={onAnswer} />
      )}
    </QuestionFrame>
  );
}

function Review({ parts, isBusy, onAnswer }: Omit<ReviewProps, 'question'> & { readonly parts: readonly ReviewPart[] }) {
  const [state, dispatch] = useReducer(reduceReview, parts, beginReview);
  const [isLeaving, setIsLeaving] = useState(false);
  const { open, kept, edited } = tallyParts(state.parts);
  const finish = (): void => {
    const { chunks, editedChunks } = concludeReview(state.parts);
    onAnswer({ kind: 'review', chunks, editedChunks });
  };
  const leave = (): void => {
    if (isBegun(state) && !isLeaving) setIsLeaving(true);
    else onAnswer({ kind: 'decline' });
  };
  return (
    <>
      <HunkReview state={state} dispatch={dispatch} isFrozen={isBusy} takesComments={false} />
      <div className="cl-actions">
        <button type="button" className="cl-button" disabled={isBusy || open > 0} onClick={finish}>
          {kept + edited === 0 ? 'Keep nothing' : 'Tell the model what you keep'}
        </button>
        <button type="button" className="cl-button cl-button--plain" disabled={isBusy} onClick={leave}>
          {isLeaving ? 'Really cancel it? What you decided is lost' : 'Cancel the review'}
        </button>
        {open > 0 && <span className="cl-approval-note">Keep or drop each change first. Nothing is applied by this.</span>}
      </div>
    </>
  );
}

function readParts(diff: string): readonly ReviewPart[] | undefined {
  try {
    return partsOfPatch(parsePatch(diff));
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}
