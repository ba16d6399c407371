import { expect, test } from 'vitest';
import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { findTool } from '@codelab/tools';
import { findJsonFaults } from './find-json-faults.js';
import { complete, lint } from './json-hints.js';

const SCHEMA = {
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: {
    path: { type: 'string', minLength: 1, description: 'Where.' },
    mode: { enum: ['fast', 'slow'] },
    modes: { type: 'array', items: { enum: ['fast', 'slow'] } },
    lines: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 2 },
    deep: { anyOf: [{ type: 'null' }, { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] }] },
  },
} as const;

const stateOf = (doc: string): EditorState => EditorState.create({ doc, extensions: [json()] });
const faults = (doc: string): readonly string[] => {
  const state = stateOf(doc);
  return lint(SCHEMA)({ state }).map(({ from, to, message }) => `${state.doc.lineAt(from).number} ${state.sliceDoc(from, to)}: ${message}`);
};
const completions = (doc: string): readonly string[] => {
  const at = doc.indexOf('|');
  const found = complete(SCHEMA)(new CompletionContext(stateOf(doc.replace('|', '')), at, true));
  return found?.options.map(({ label }) => label) ?? [];
};

test('a fault is marked where it stands, with its line', () => {
  expect(faults('{\n  "path": "",\n  "mode": "idle",\n  "lines": [1, 0],\n  "who": 1\n}')).toEqual([
    '2 "": It needs at least 1 character.',
    '3 "idle": It must be one of "fast", "slow".',
    '4 0: It must be at least 1.',
    '5 "who": There is no “who”. Known: path, mode, modes, lines, deep.',
  ]);
  expect(faults('{}')).toEqual(['1 {}: “path” is missing.']);
  expect(faults('{"path": }')).toEqual([expect.stringContaining('This is no JSON')]);
  expect(faults('[]')).toEqual(['1 []: The arguments are an object: { … }.']);
  expect(faults('{"path": "x", "deep": {"on": 3}}')).toEqual(['1 3: It must be true or false.']);
  expect(faults('{"path": "x", "deep": null, "mode": "fast"}')).toEqual([]);
});

test('names that are free and values that fit are offered', () => {
  expect(completions('{"path": "x", "m|"}')).toEqual(['"mode"', '"modes"', '"lines"', '"deep"']);
  expect(completions('{|}')).toEqual(['"path"', '"mode"', '"modes"', '"lines"', '"deep"']);
  expect(completions('{"path": "x", "mode": "f|"}')).toEqual(['"fast"', '"slow"']);
  expect(completions('{"path": "x", "modes": [|]}')).toEqual(['"fast"', '"slow"']);
});

test('arguments that the tools of ours take have no faults', () => {
  for (const [name, args] of [
    ['write_file', { path: 'a', content: 'b' }],
    ['run_command', { command: 'ls' }],
    ['apply_patch', { diff: 'x' }],
  ] as const)
    expect(findJsonFaults(findTool(name)!.parameters, args)).toEqual([]);
});

test('a pattern that would hold the page up is not tried', () => {
  expect(findJsonFaults({ type: 'string', pattern: '^(a+)+$' }, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')).toEqual([]);
});
