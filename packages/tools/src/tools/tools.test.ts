import { expect, test } from '@jest/globals';
import { verifies } from '@codelab/testkit';
import { CANONICAL_TOOLS } from './tools.js';
import { findTool, TOOLS } from './tools.js';

test('the tools are those of the specification, in its versions, with its tags', () => {
  expect(TOOLS.map(({ name, since, group, access, idempotency }) => [name, since, group, access, idempotency])).toEqual([
    ['read_file', '1.0', 'file', 'readonly', 'safe'],
    ['write_file', '1.0', 'file', 'write', 'unsafe'],
    ['git.diff', '1.0', 'git', 'readonly', 'safe'],
    ['apply_patch', '1.0', 'file', 'write', 'unsafe'],
    ['apply_patch_review', '1.0', 'user', 'readonly', 'safe'],
    ['prompt_user', '1.0', 'user', 'readonly', 'safe'],
    ['list_files', '1.1', 'file', 'readonly', 'safe'],
    ['search_in_project', '1.1', 'search', 'readonly', 'safe'],
    ['run_command', '1.1', 'process', 'write', 'unsafe'],
    ['create_directory', '1.1', 'file', 'write', 'unsafe'],
    ['git.status', '1.2', 'git', 'readonly', 'safe'],
    ['git.log', '1.2', 'git', 'readonly', 'safe'],
    ['git.commit', '1.2', 'git', 'write', 'unsafe'],
    ['delete_file', '1.2', 'file', 'write', 'unsafe'],
    ['move_file', '1.2', 'file', 'write', 'unsafe'],
    ['run_persistent', '2.0', 'process', 'write', 'unsafe'],
    ['kill_process', '2.0', 'process', 'write', 'unsafe'],
    ['git.branch', '2.0', 'git', 'write', 'unsafe'],
  ]);
});

test('every tool is canonical, is found by its name, and has a deadline that the wire allows', () => {
  for (const tool of TOOLS) {
    expect(CANONICAL_TOOLS).toContain(tool.name);
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
