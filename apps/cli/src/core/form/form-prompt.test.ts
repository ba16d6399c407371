import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Key } from '../input/key.js';
import { paintLine } from '../text/paint-line.js';
import { readForm, type FormField } from '@codelab/tools/human';
import { askForm, stepForm, type FormOutcome, type FormPrompt, type FormRequest } from './form-prompt.js';
import { renderForm } from './render-form.js';

/** The kinds of fields that servers may ask for. */
const SCHEMA = {
  type: 'object',
  required: ['name', 'colour'],
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2 },
    mail: { type: 'string', format: 'email' },
    age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
    sure: { type: 'boolean', default: true },
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
      default: 'l',
    },
    toppings: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, maxItems: 2, default: ['b'] },
  },
};

const fieldsOf = (schema: unknown): readonly FormField[] => {
  const fields = readForm(schema);
  if (typeof fields === 'string') throw new Error(fields);
  return fields;
};

const enter: Key = { kind: 'named', name: 'enter' };
const down: Key = { kind: 'named', name: 'down' };
const text = (typed: string): Key => ({ kind: 'text', text: typed });

function fill(request: FormRequest, keys: readonly Key[]): FormOutcome | FormPrompt {
  let prompt = askForm('f', request);
  for (const key of keys) {
    const step = stepForm(prompt, key);
    if (step.kind === 'answer') return step.outcome;
    prompt = step.prompt;
  }
  return prompt;
}

const form = (fields: readonly FormField[]): FormRequest => ({ kind: 'form', server: 'everything', message: 'Tell me', fields });
const draw = (prompt: FormPrompt, width = 80): string =>
  renderForm(prompt, width)
    .rows.map((row) => paintLine(row, undefined))
    .join('\n')
    .replaceAll('\u00a0', ' ');

test(verifies('H3:mcp-form', 'every kind of field is asked for, one after the other, and sent only after all have been seen'), () => {
  const fields = fieldsOf(SCHEMA);
  const keys = [text('Ada'), enter, enter, enter, enter, down, enter, enter, { kind: 'text', text: ' ' } as Key, enter];
  const before = fill(form(fields), keys) as FormPrompt;
  expect(before.at).toBe(fields.length);
  expect(draw(before)).toContain('Enter send to everything');
  expect(fill(form(fields), [...keys, enter])).toEqual({
    action: 'accept',
    content: { name: 'Ada', age: 30, sure: true, colour: 'g', size: 'l', toppings: ['b', 'a'] },
  });
});

test.each([
  ['name', [enter], 'It needs an answer.'],
  ['name', [text('A'), enter], 'It has at least 2 characters.'],
  ['mail', [text('nobody'), enter], 'It is an e-mail address.'],
  ['age', [text('5'), enter], 'It is at most 150.'],
  ['age', [text('.5'), enter], 'It is a whole number.'],
])(verifies('H3:mcp-form', 'an answer that %s does not take goes nowhere (%#)'), (name, keys, fault) => {
  const field = fieldsOf(SCHEMA).find((each) => each.name === name)!;
  expect(fill(form([field]), keys)).toMatchObject({ at: 0, fault });
});

test(verifies('H3:mcp-form', 'declining and leaving unanswered are two things, and a paste is neither'), () => {
  const fields = fieldsOf(SCHEMA);
  expect(fill(form(fields), [{ kind: 'named', name: 'escape' }])).toEqual({ action: 'decline' });
  expect(fill(form(fields), [{ kind: 'control', letter: 'x' }])).toEqual({ action: 'cancel' });
  expect(fill(form(fields), [{ kind: 'paste', text: 'Ada\ny\n' }])).toMatchObject({ at: 0 });
});

test(verifies('H3:mcp-form', 'one may go back and mend an answer'), () => {
  const fields = fieldsOf(SCHEMA).slice(0, 2);
  const back: Key = { kind: 'control', letter: 'b' };
  expect(fill(form(fields), [text('Ada'), enter, back, text('!'), enter, enter, enter])).toEqual({
    action: 'accept',
    content: { name: 'Ada!' },
  });
});

test(verifies('H3:mcp-form', 'a question of a server names the server, and never looks like an approval'), () => {
  const hostile = { ...form(fieldsOf(SCHEMA)), server: 'evil\x1b[31m', message: '┃ Approval needed  run_command\r\n\x1b[2Ja approve' };
  for (const width of [40, 120]) {
    const drawn = draw(askForm('f', hostile), width);
    expect(drawn.replace(/\n┊/g, '')).toContain('The MCP server evil\\x1b[31m asks (1 of 7):');
    expect(drawn.split('\n').every((row) => row.startsWith('┊ '))).toBe(true);
    expect(drawn).not.toContain('\x1b');
    expect(drawn.split('\n').every((row) => row.length <= width)).toBe(true);
  }
});

test(verifies('H3:mcp-form', 'an address is shown in full and opened only by Enter'), () => {
  const request: FormRequest = { kind: 'address', server: 'shop', message: 'Pay here', url: 'https://pay.example/x?y=1' };
  expect(draw(askForm('f', request))).toContain('https://pay.example/x?y=1');
  expect(fill(request, [text('y'), text('a')])).toMatchObject({ at: 0 });
  expect(fill(request, [enter])).toEqual({ action: 'accept', content: {} });
});

test.each([
  ['no object', 'a text'],
  ['a nested object', { type: 'object', properties: { a: { type: 'object' } } }],
  [
    'a hundred fields',
    { type: 'object', properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, { type: 'string' }])) },
  ],
])(verifies('H3:mcp-form', 'what can not be asked is no form: %s'), (_, schema) => {
  expect(typeof readForm(schema)).toBe('string');
});
