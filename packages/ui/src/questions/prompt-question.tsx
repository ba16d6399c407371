import { useId, useState, type FormEvent } from 'react';
import type { PromptQuestion, QuestionAnswer } from '../port/question.js';
import { SafeText } from '../text/safe-text.js';
import { QuestionFrame } from './question-frame.js';

interface PromptProps {
  readonly question: PromptQuestion;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}

/** The model asks, and offers answers. They are its words, so they stand in quotation marks, and none of them is a button. */
export function PromptQuestionCard({ question, isBusy, onAnswer }: PromptProps) {
  const name = useId();
  const [picked, setPicked] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (picked !== undefined) onAnswer({ kind: 'prompt', action: picked });
  };
  return (
    <QuestionFrame who="The model asks" message={question.message}>
      <form onSubmit={submit}>
        <fieldset className="cl-options">
          <legend className="cl-hidden">Answers that it offers</legend>
          {question.actions.map((action, index) => (
            <label key={index} className="cl-option" data-picked={picked === action || undefined}>
              <input type="radio" name={name} checked={picked === action} onChange={() => setPicked(action)} />
              <span>
                “<SafeText text={action} />”
              </span>
            </label>
          ))}
        </fieldset>
        <div className="cl-actions">
          <button type="submit" className="cl-button" disabled={isBusy || picked === undefined}>
            Answer the model
          </button>
          <button type="button" className="cl-button cl-button--plain" disabled={isBusy} onClick={() => onAnswer({ kind: 'decline' })}>
            Decline to answer
          </button>
        </div>
      </form>
    </QuestionFrame>
  );
}
