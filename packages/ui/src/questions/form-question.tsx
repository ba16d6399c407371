import { checkChoices, checkLine, fallbackOf, readForm, type CheckedAnswer, type FormAnswer, type FormField } from '@codelab/tools/human';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { FormQuestion, QuestionAnswer } from '../port/question.js';
import { FieldInput, type FieldValue } from './form-field-input.js';
import { QuestionFrame } from './question-frame.js';

interface FormProps {
  readonly question: FormQuestion;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}

/** A server asks with a form. Faults stand beside their fields, and nothing is sent before all of them fit. */
export function FormQuestionCard({ question, isBusy, onAnswer }: FormProps) {
  const [fields] = useState(() => readForm(question.schema));
  const who = `The MCP server ${question.server} asks`;
  const leave = (
    <>
      <button type="button" className="cl-button cl-button--plain" disabled={isBusy} onClick={() => onAnswer({ kind: 'decline' })}>
        Decline
      </button>
      <button type="button" className="cl-button cl-button--plain" disabled={isBusy} onClick={() => onAnswer({ kind: 'dismiss' })}>
        Leave unanswered
      </button>
    </>
  );
  if (typeof fields === 'string')
    return (
      <QuestionFrame who={who} message={question.message}>
        <p className="cl-fault">{`It can’t be asked: ${fields}.`}</p>
        <div className="cl-actions">{leave}</div>
      </QuestionFrame>
    );
  return (
    <QuestionFrame who={who} message={question.message}>
      <Fields fields={fields} isBusy={isBusy} onSend={(content) => onAnswer({ kind: 'form', content })}>
        {leave}
      </Fields>
    </QuestionFrame>
  );
}

interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly isBusy: boolean;
  readonly onSend: (content: Readonly<Record<string, FormAnswer>>) => void;
  readonly children: ReactNode;
}

function Fields({ fields, isBusy, onSend, children }: FieldsProps) {
  const [values, setValues] = useState<readonly FieldValue[]>(() => fields.map(initialValue));
  const [isChecked, setIsChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const checked = fields.map((field, index) => check(field, values[index]!));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsChecked(true);
    const wrong = checked.findIndex(({ ok }) => !ok);
    if (wrong >= 0) return form.current?.querySelector<HTMLElement>(`[data-field='${wrong}'] :is(input, select)`)?.focus();
    const entries = fields.flatMap(({ name }, index): [string, FormAnswer][] => {
      const one = checked[index]!;
      return one.ok && one.answer !== undefined ? [[name, one.answer]] : [];
    });
    onSend(Object.fromEntries(entries));
  };
  return (
    <form onSubmit={submit} ref={form} noValidate>
      {fields.map((field, index) => {
        const result = checked[index]!;
        return (
          <FieldInput
            key={field.name}
            field={field}
            index={index}
            value={values[index]!}
            fault={isChecked && !result.ok ? result.fault : undefined}
            onChange={(value) => setValues(values.with(index, value))}
          />
        );
      })}
      <div className="cl-actions">
        <button type="submit" className="cl-button" disabled={isBusy}>
          Send the answers
        </button>
        {children}
      </div>
    </form>
  );
}

function initialValue({ input }: FormField): FieldValue {
  const known = fallbackOf(input);
  if (input.kind === 'choices') return input.fallback;
  return known === undefined ? '' : String(known);
}

/** What was filled in, as an answer; a field that was emptied has none. */
export function check(field: FormField, value: FieldValue): CheckedAnswer {
  const { input, required } = field;
  if (typeof value !== 'string') return checkChoices(field, value);
  const missing: CheckedAnswer = required ? { ok: false, fault: 'It needs an answer.' } : { ok: true, answer: undefined };
  if (value.trim() === '') return missing;
  if (input.kind === 'boolean') return { ok: true, answer: value === 'true' };
  return input.kind === 'choice' ? { ok: true, answer: value } : checkLine(field, value);
}
