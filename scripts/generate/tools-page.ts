import type { JsonSchema } from '@codelab/protocol';
import { basePolicyOf, CAPABILITIES, TOOLS, type CanonicalToolDefinition } from '@codelab/tools';
import { cell, table } from './markdown-table.js';

const code = (text: string): string => `\`${text}\``;

const list = (schema: JsonSchema, name: string): readonly unknown[] => (Array.isArray(schema[name]) ? (schema[name] as unknown[]) : []);

const properties = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);

const BOUNDS = [
  ['minimum', 'from'],
  ['maximum', 'to'],
  ['maxLength', 'characters, at most'],
  ['maxItems', 'items, at most'],
  ['pattern', 'like'],
] as const;

const shown = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value));

/** What a value may be, in one line: `integer, from 1, to 10`. */
const typeOf = (schema: JsonSchema): string => {
  if (schema['const'] !== undefined) return shown(schema['const']);
  const values = list(schema, 'enum');
  if (values.length > 0) return values.map(shown).join(', ');
  const { type, items } = schema as { readonly type?: string | readonly string[]; readonly items?: JsonSchema };
  const name = type === 'array' ? `list of ${typeOf(items ?? {})}` : [type ?? 'any'].flat().join(' or ');
  const bounds = BOUNDS.filter(([key]) => schema[key] !== undefined).map(([key, words]) => `${words} ${shown(schema[key])}`);
  return [name, ...bounds].join(', ');
};

/** @param base the same without what version 2.1 adds */
const rows = (schema: JsonSchema, base: JsonSchema, prefix = ''): string[][] =>
  properties(schema).flatMap(([name, field]) => {
    const items = (field['items'] ?? {}) as JsonSchema;
    const known = properties(base).find(([other]) => other === name)?.[1];
    const necessity = list(schema, 'required').includes(name)
      ? 'yes'
      : field['default'] === undefined
        ? ''
        : `${shown(field['default'])} without`;
    const meaning = typeof field['description'] === 'string' ? field['description'] : '';
    const since = known === undefined ? '*2.1* ' : '';
    return [
      [code(prefix + name), typeOf(field), necessity, since + meaning],
      ...rows(items, known === undefined ? items : ((known['items'] ?? {}) as JsonSchema), `${prefix}${name}[].`),
    ];
  });

const policyOf = ({ name }: CanonicalToolDefinition): string[] => {
  const { modes } = basePolicyOf(name, {});
  return [modes.medium, modes.strict, modes.permissive];
};

const summaryRow = (tool: CanonicalToolDefinition): string[] => [
  `[${code(tool.name)}](#${tool.name.replace('.', '')})`,
  tool.since,
  properties(tool.parameters)
    .map(([name]) => (list(tool.parameters, 'required').includes(name) ? code(name) : `${code(name)}?`))
    .join(' '),
  properties(tool.result)
    .map(([name]) => code(name))
    .join(' '),
  tool.limits.join('; '),
  tool.errors.map(code).join(' '),
  policyOf(tool).join(' / '),
];

const section = (tool: CanonicalToolDefinition): string =>
  [
    `## ${tool.name}`,
    '',
    `${cell(tool.description)} Since ${tool.since}; ${tool.group}, ${tool.access}, ${tool.idempotency}; at most ${String(tool.deadlineMs / 1000)} s from its start.`,
    '',
    table(['argument', 'type', 'required', 'meaning'], rows(tool.additions?.parameters ?? tool.parameters, tool.parameters)),
    table(['result', 'type', 'always there', 'meaning'], rows(tool.additions?.result ?? tool.result, tool.result)),
  ].join('\n');

/** Where the specification says nothing, or two things. */
const LEFT_OPEN = [
  '## What the specification leaves open',
  '',
  '- **Its example 2** takes a diff of the work tree, has it reviewed, and applies what was kept, while `apply_patch` "requires a clean work',
  '  tree": as it stands the tree has the changes already. So the changes have to leave the tree in between (`git stash`, `git checkout`,',
  '  another branch), or the diff comes from elsewhere. A patch whose changes are in the file already is `PATCH_APPLY_FAILED`, and says so.',
  '- **A clean work tree** has no staged or unstaged change of a tracked file; files that git does not know do not count. With',
  '  `allow_dirty: true` the tree is not looked at, and the patch has to fit the files as they are.',
  '- **A patch is applied whole or not at all.** A line of it that no hunk takes, a bare `@@`, counts that are wrong: an error that names the',
  '  line. Words before, between and after the files are passed over, and so is a missing newline at the very end. A hunk whose line numbers are off goes to',
  '  the nearest place that it fits, without fuzz.',
  '- **`run_command` always asks** a client that knows the specification alone, one that never said `hello`. (It is not called by any: such a',
  '  client has the tools of version 1.0.) For clients that said `hello`, commands known to be harmless run unasked in `medium` and `permissive`.',
  '- **`result`** is an object for each of these tools. A tool of the client itself may give any JSON value; the model reads its JSON text.',
  '',
];

/** `docs/reference/tools.md`: every tool, from its definition. */
export function toolsPage(): Record<string, string> {
  const page = [
    '<!-- Generated by `pnpm generate` from packages/tools/src/tools. Do not edit. -->',
    '# The tools',
    '',
    'Executed at the client, by `packages/workspace`, under these names. Names and arguments are those of the tool specification; paths are',
    'relative to the workspace, with `/` between directories. Policy: what happens without a rule in `medium` / `strict` / `permissive`; paths',
    'that make programs run or hold secrets always ask, and commands are judged one by one. What version 2.1 adds is marked *2.1*: no model is',
    'shown it in the vocabulary `codelab`.',
    '',
    table(['tool', 'since', 'arguments', 'result', 'limits', 'errors', 'policy'], TOOLS.map(summaryRow)),
    'Any call can also end with the codes that say that it did not run: see [Codes of a failed tool call](protocol.md#codes-of-a-failed-tool-call).',
    '',
    ...LEFT_OPEN,
    ...TOOLS.map(section),
    '# Capabilities',
    '',
    'What a client of version 2.1 may name in `hello.tools` beside them (docs/specification/tools.md#capabilities). No model is shown these.',
    '',
    ...CAPABILITIES.map(section),
  ];
  return { 'docs/reference/tools.md': `${page.join('\n').trimEnd()}\n` };
}
