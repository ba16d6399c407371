import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { findTool, TOOLS } from './tools.js';

test('every tool is found by its name, and has a deadline that the wire allows', () => {
  for (const tool of TOOLS) {
    expect(findTool(tool.name)).toBe(tool);
    expect(tool.deadlineMs).toBeGreaterThanOrEqual(60_000);
    expect(tool.deadlineMs).toBeLessThan(2 ** 31); // a longer timer fires at once
  }
  expect(findTool('no_such_tool')).toBeUndefined();
});

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: unknown;
}

/** The places in a schema whose value has no type. */
const untyped = ({ type, properties = {}, items }: Schema, path: string): string[] => [
  ...(type === undefined ? [path] : []),
  ...Object.entries(properties).flatMap(([name, property]) => untyped(property, `${path}.${name}`)),
  ...(items === undefined ? [] : untyped(items, `${path}[]`)),
];

test(verifies('L3:typed-arguments', 'every argument that a model is shown has a type: providers refuse an enum without one'), () => {
  expect(TOOLS.flatMap(({ name, parameters }) => untyped(parameters, name))).toEqual([]);
});

test('so has every choice of a result', () => {
  const choices = (schema: Schema): Schema[] => [
    ...(schema.enum === undefined ? [] : [schema]),
    ...Object.values(schema.properties ?? {}).flatMap(choices),
    ...(schema.items === undefined ? [] : choices(schema.items)),
  ];
  expect(TOOLS.flatMap(({ result }) => choices(result)).filter(({ type }) => type === undefined)).toEqual([]);
});
