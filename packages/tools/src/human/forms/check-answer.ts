import type { FormAnswer, FormField, FormInput } from './form-field.js';

export type CheckedAnswer = { readonly ok: true; readonly answer: FormAnswer | undefined } | { readonly ok: false; readonly fault: string };

/** What a typed line is for a field: an answer, nothing where nothing is needed, or a fault. An empty line takes what the field had. */
export function checkLine({ input, required }: FormField, line: string): CheckedAnswer {
  const text = line.trim();
  if (text === '') return isGiven(fallbackOf(input)) || !required ? ok(fallbackOf(input)) : fault('It needs an answer.');
  if (input.kind === 'number') return checkNumber(input, text);
  if (input.kind !== 'text') return ok(text);
  const length = [...text].length;
  if (input.minLength !== undefined && length < input.minLength) return fault(`It has at least ${input.minLength} characters.`);
  if (input.maxLength !== undefined && length > input.maxLength) return fault(`It has at most ${input.maxLength} characters.`);
  const format = input.format === undefined ? undefined : FORMATS[input.format];
  return format === undefined || format.is(text) ? ok(text) : fault(format.fault);
}

/** How many options may be chosen. */
export function checkChoices({ input, required }: FormField, chosen: readonly string[]): CheckedAnswer {
  if (input.kind !== 'choices') return ok(chosen);
  const { minimum = required ? 1 : 0, maximum = Infinity } = input;
  if (chosen.length < minimum) return chosen.length === 0 && !required ? ok(undefined) : fault(`Choose at least ${minimum}.`);
  if (chosen.length > maximum) return fault(`Choose at most ${maximum}.`);
  return ok(chosen);
}

/** What a field has before anybody answers. */
export const fallbackOf = (input: FormInput): FormAnswer | undefined => input.fallback;

function checkNumber(
  { integer, minimum = -Infinity, maximum = Infinity }: Extract<FormInput, { kind: 'number' }>,
  text: string,
): CheckedAnswer {
  const value = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(value)) return fault('It is a number.');
  if (integer && !Number.isSafeInteger(value)) return fault('It is a whole number.');
  if (value < minimum) return fault(`It is at least ${minimum}.`);
  return value > maximum ? fault(`It is at most ${maximum}.`) : ok(value);
}

const FORMATS: Readonly<Record<string, { readonly is: (text: string) => boolean; readonly fault: string }>> = {
  email: { is: (text) => /^[^\s@]+@[^\s@]+$/.test(text), fault: 'It is an e-mail address.' },
  uri: { is: (text) => URL.canParse(text), fault: 'It is an address such as https://example.com.' },
  date: { is: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)), fault: 'It is a date such as 2026-01-31.' },
  'date-time': {
    is: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
    fault: 'It is a time such as 2026-01-31T12:00:00Z.',
  },
};

const isGiven = (answer: FormAnswer | undefined): boolean => answer !== undefined && !(Array.isArray(answer) && answer.length === 0);
const ok = (answer: FormAnswer | undefined): CheckedAnswer => ({ ok: true, answer });
const fault = (text: string): CheckedAnswer => ({ ok: false, fault: text });
