import type { Key } from '../input/key.js';
import { EMPTY_EDITOR, editLine, type EditorState } from '../input/line-editor.js';
import { checkChoices, checkLine, fallbackOf, type FormAnswer, type FormField, type FormOption } from '@codelab/tools/human';

/** What a server asks the human: fields of a form, or whether an address may be opened. */
export type FormRequest = { readonly server: string; readonly message: string } & (
  | { readonly kind: 'form'; readonly fields: readonly FormField[] }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'sampling'; readonly prompt: string }
);

export type FormOutcome =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, FormAnswer>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A form that is being filled in, one field after the other; behind the last one it is sent. */
export interface FormPrompt {
  readonly callId: string;
  readonly request: FormRequest;
  /** The field that is asked for, counted from 0; as many as there are: it only has to be sent. */
  readonly at: number;
  readonly answers: Readonly<Record<string, FormAnswer>>;
  readonly editor: EditorState;
  /** The option that the keys are on. */
  readonly selected: number;
  readonly chosen: readonly string[];
  readonly fault?: string | undefined;
}

export type FormStep =
  | { readonly kind: 'prompt'; readonly prompt: FormPrompt }
  | { readonly kind: 'answer'; readonly outcome: FormOutcome };

/** Begins to ask. */
export const askForm = (callId: string, request: FormRequest): FormPrompt =>
  enter({ callId, request, at: 0, answers: {}, editor: EMPTY_EDITOR, selected: 0, chosen: [] }, 0);

/** The field that is asked for; none where the form only has to be sent. */
export const fieldOf = ({ request, at }: FormPrompt): FormField | undefined => (request.kind === 'form' ? request.fields[at] : undefined);

/** The options of a field that is chosen from; undefined for one that is typed. */
export function optionsOf({ input, required }: FormField): readonly FormOption[] | undefined {
  if (input.kind === 'choices') return input.options;
  const none = required || input.fallback !== undefined ? [] : [NO_ANSWER];
  if (input.kind === 'boolean') return [{ value: 'true', title: 'yes' }, { value: 'false', title: 'no' }, ...none];
  return input.kind === 'choice' ? [...input.options, ...none] : undefined;
}

const NO_ANSWER: FormOption = { value: '', title: '(no answer)' };

/**
 * What a key does to a form. Enter goes on, and behind the last field sends; Escape declines; Ctrl-X dismisses the question without an answer;
 * Ctrl-B goes back. A paste is text and never an answer by itself.
 */
export function stepForm(prompt: FormPrompt, key: Key): FormStep {
  if (key.kind === 'named' && key.name === 'escape') return { kind: 'answer', outcome: { action: 'decline' } };
  if (key.kind === 'control' && key.letter === 'x') return { kind: 'answer', outcome: { action: 'cancel' } };
  if (key.kind === 'control' && key.letter === 'b') return stay(prompt.at === 0 ? prompt : enter(prompt, prompt.at - 1));
  const field = fieldOf(prompt);
  if (field === undefined) {
    const sends = key.kind === 'named' && key.name === 'enter';
    return sends ? { kind: 'answer', outcome: { action: 'accept', content: prompt.answers } } : stay(prompt);
  }
  const options = optionsOf(field);
  return stay(options === undefined ? typeInto(prompt, field, key) : choose(prompt, field, options, key));
}

function typeInto(prompt: FormPrompt, field: FormField, key: Key): FormPrompt {
  if (key.kind === 'named' && key.name === 'enter') {
    const checked = checkLine(field, prompt.editor.text);
    return checked.ok ? goOn(prompt, field, checked.answer) : { ...prompt, fault: checked.fault };
  }
  const isOther = key.kind === 'named' && (key.name === 'newline' || key.name === 'alt-enter' || key.name === 'up' || key.name === 'down');
  return isOther ? prompt : { ...prompt, editor: editLine(prompt.editor, key).state, fault: undefined };
}

function choose(prompt: FormPrompt, field: FormField, options: readonly FormOption[], key: Key): FormPrompt {
  const count = options.length;
  const moveTo = (selected: number): FormPrompt => ({ ...prompt, selected: (selected + count) % count, fault: undefined });
  if (key.kind === 'text' && key.text === ' ' && field.input.kind === 'choices') return toggle(prompt, options[prompt.selected]!.value);
  if (key.kind === 'text') {
    const digit = Number(key.text);
    return digit >= 1 && digit <= count ? moveTo(digit - 1) : prompt;
  }
  if (key.kind !== 'named') return prompt;
  if (key.name === 'up') return moveTo(prompt.selected - 1);
  if (key.name === 'down') return moveTo(prompt.selected + 1);
  if (key.name !== 'enter') return prompt;
  if (field.input.kind === 'choices') {
    const checked = checkChoices(field, prompt.chosen);
    return checked.ok ? goOn(prompt, field, checked.answer) : { ...prompt, fault: checked.fault };
  }
  const { value } = options[prompt.selected]!;
  return goOn(prompt, field, value === '' ? undefined : field.input.kind === 'boolean' ? value === 'true' : value);
}

function toggle(prompt: FormPrompt, value: string): FormPrompt {
  const chosen = prompt.chosen.includes(value) ? prompt.chosen.filter((each) => each !== value) : [...prompt.chosen, value];
  return { ...prompt, chosen, fault: undefined };
}

function goOn(prompt: FormPrompt, { name }: FormField, answer: FormAnswer | undefined): FormPrompt {
  const { [name]: _, ...others } = prompt.answers;
  return enter({ ...prompt, answers: answer === undefined ? others : { ...others, [name]: answer } }, prompt.at + 1);
}

/** Turns to a field, with what was answered before, else with what it has by itself. */
function enter(prompt: FormPrompt, at: number): FormPrompt {
  const next = { ...prompt, at, fault: undefined };
  const field = fieldOf(next);
  if (field === undefined) return next;
  const known = prompt.answers[field.name] ?? fallbackOf(field.input);
  const text = typeof known === 'string' || typeof known === 'number' ? String(known) : '';
  const selected = field.input.kind === 'choices' ? 0 : (optionsOf(field)?.findIndex(({ value }) => value === String(known)) ?? 0);
  return {
    ...next,
    editor: { ...EMPTY_EDITOR, text, cursor: text.length },
    selected: Math.max(0, selected),
    chosen: Array.isArray(known) ? (known as readonly string[]) : [],
  };
}

const stay = (prompt: FormPrompt): FormStep => ({ kind: 'prompt', prompt });
