import { useState } from 'react';
import { ApprovalPanel } from '../approval/approval-panel.js';
import type { Question, QuestionAnswer } from '../port/question.js';
import { usePort, useQuestions, useSession } from '../port/session-context.js';
import { SafeText } from '../text/safe-text.js';
import { AddressQuestionCard } from './address-question.js';
import { FormQuestionCard } from './form-question.js';
import { PromptQuestionCard } from './prompt-question.js';
import { ReviewQuestionCard } from './review-question.js';
import { SamplingQuestionCard } from './sampling-question.js';

/** What waits for the human at this machine, oldest first; nothing where nothing does. */
export function Questions() {
  const questions = useQuestions();
  const port = usePort();
  if (questions.length === 0 || port.answer === undefined) return null;
  return (
    <div className="cl-questions">
      {questions.map((question, index) => (
        <AnsweredQuestion
          key={question.id}
          question={question}
          position={{ number: index + 1, count: questions.length }}
          answer={(answer) => port.answer!(question.id, answer)}
        />
      ))}
    </div>
  );
}

interface QuestionProps {
  readonly question: Question;
  readonly position: { readonly number: number; readonly count: number };
  readonly answer: (answer: QuestionAnswer) => Promise<void>;
}

/** One question; a fault of its answer stands below it, and it can be answered again. */
function AnsweredQuestion({ question, position, answer }: QuestionProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const onAnswer = (given: QuestionAnswer): void => {
    if (isBusy) return;
    setIsBusy(true);
    setFault(undefined);
    answer(given)
      .catch((error: unknown) => setFault(error instanceof Error ? error.message : String(error)))
      .finally(() => setIsBusy(false));
  };
  if (question.kind === 'confirm') return <Confirm question={question} position={position} answer={answer} />;
  return (
    <div className="cl-question-frame">
      <Card question={question} isBusy={isBusy} onAnswer={onAnswer} />
      {fault !== undefined && (
        <p className="cl-fault" role="alert">
          <SafeText text={fault} />
        </p>
      )}
    </div>
  );
}

function Card({
  question,
  ...props
}: {
  readonly question: Exclude<Question, { kind: 'confirm' }>;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}) {
  switch (question.kind) {
    case 'prompt':
      return <PromptQuestionCard question={question} {...props} />;
    case 'review':
      return <ReviewQuestionCard question={question} {...props} />;
    case 'form':
      return <FormQuestionCard question={question} {...props} />;
    case 'address':
      return <AddressQuestionCard question={question} {...props} />;
    case 'sampling':
      return <SamplingQuestionCard question={question} {...props} />;
  }
}

function Confirm({ question, position, answer }: QuestionProps & { readonly question: Extract<Question, { kind: 'confirm' }> }) {
  const executor = useSession((view) => view.executor);
  return (
    <ApprovalPanel
      call={{ ...question, argsSha256: '' }}
      origin="client"
      executor={executor}
      position={position}
      takesKeys={position.number === 1}
      refusal={question.refusal}
      decide={(decision) =>
        answer({ kind: 'confirm', decision: decision.decision === 'reject' ? 'reject' : 'approve', feedback: decision.feedback })
      }
    />
  );
}
