import type { QuestionAnswer, SamplingQuestion } from '../port/question.js';
import { SafeText } from '../text/safe-text.js';
import { QuestionFrame } from './question-frame.js';

interface SamplingProps {
  readonly question: SamplingQuestion;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}

/** A server wants the model asked, at the user's cost. */
export function SamplingQuestionCard({ question, isBusy, onAnswer }: SamplingProps) {
  return (
    <QuestionFrame who={`The MCP server ${question.server} wants to ask the model`} message={question.message}>
      <pre className="cl-approval-text" tabIndex={0} aria-label="What it would ask">
        <SafeText text={question.prompt} />
      </pre>
      <div className="cl-actions">
        <button type="button" className="cl-button" disabled={isBusy} onClick={() => onAnswer({ kind: 'form', content: {} })}>
          Let it ask
        </button>
        <button type="button" className="cl-button cl-button--plain" disabled={isBusy} onClick={() => onAnswer({ kind: 'decline' })}>
          Decline
        </button>
      </div>
    </QuestionFrame>
  );
}
