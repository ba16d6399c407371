import { expect, test } from 'vitest';
import { decodeChoice } from './decode-choice.js';
import { DeclaredTools, type DeclaredTool } from './declared-tools.js';

const tool = (name: string, namespace?: string): DeclaredTool => ({
  kind: 'function',
  name,
  namespace,
});

test('a tool keeps its name, and two tools never get one', () => {
  const declared = new DeclaredTools();
  const all = [tool('a'), tool('a', 'n'), tool('n__a'), tool('a', 'n__'), tool('a', ''), tool('n__a_2')];
  expect(all.map((one) => declared.add(one))).toEqual(['a', 'n__a', 'n__a_2', 'n__a_3', '__a', 'n__a_2_2']);
  expect(declared.add({ kind: 'custom', name: 'a', namespace: 'n' })).toBe('n__a');
  expect(all.map(({ name, namespace }) => declared.find(name, namespace))).toEqual(['a', 'n__a', 'n__a_2', 'n__a_3', '__a', 'n__a_2_2']);
  expect(all.map(({ name, namespace }) => declared.declared(declared.nameOf(name, namespace)))).toEqual(all);
  expect([declared.find('n__a_3'), declared.find('a', 'm'), declared.nameOf('a', 'm')]).toEqual([undefined, undefined, 'm__a']);
  expect(declared.declared('made')).toEqual(tool('made'));
});

test('a choice names a tool with its namespace, by its name for the model, or without where only one has the name', () => {
  const declared = new DeclaredTools();
  for (const one of [tool('a', 'n'), tool('a', 'm'), tool('b', 'n')]) declared.add(one);
  const chosen = [
    { name: 'a', namespace: 'm' },
    { name: 'n__a' },
    { name: 'a' },
    { name: 'b' },
    { name: 'b', namespace: 'x' },
    { name: 'c' },
    {},
  ];
  expect(chosen.map((choice) => declared.choose(choice))).toEqual(['m__a', 'n__a', undefined, 'n__b', 'n__b', undefined, undefined]);
});

test('many tools, of one name or of many, are added, found and chosen in a time in proportion to their number', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => n);
  const declared = new DeclaredTools();
  // `n` and `n__` in front of other names: each second one needs a number
  const added = many.flatMap((n) => [tool('a', `s${n}`), tool(`t${n}`, 'n'), tool(`t${n}`, 'n__')]).map((one) => declared.add(one));
  expect(new Set(added).size).toBe(60_000);
  expect(added.slice(-3)).toEqual(['s19999__a', 'n__t19999', 'n__t19999_2']);
  expect(many.every((n) => declared.nameOf('a', `s${n}`) === `s${n}__a`)).toBe(true);
  expect(many.some(() => declared.choose({ name: 'a' }) !== undefined)).toBe(false);
  const tools = added.map((name) => ({ name, description: '', parameters: {} }));
  const allowed = many.map((n) => ({ type: 'function', name: 'a', namespace: `s${n}` }));
  expect(decodeChoice({ type: 'allowed_tools', mode: 'auto', tools: allowed }, tools, declared).tools).toHaveLength(20_000);
});
