import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VOCABULARY_NAMES, type VocabularyName } from '@codelab/tools';
import { verifies, type ScriptedProvider } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { plan, type Planned, startPlannedModel } from '../planned-model.js';
import { runCommand, startSystem, type System } from '../start-system.js';

/** Three faults; the test names the first that is left. */
const FILES = {
  'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node test.js" } }\n',
  'src/add.js': 'export const add = (a, b) => a - b;\n',
  'src/sub.js': 'export const sub = (a, b) => a + b;\n',
  'src/mul.js': 'export const mul = (a, b) => a + b;\n',
  'test.js': [
    "import { add } from './src/add.js';",
    "import { sub } from './src/sub.js';",
    "import { mul } from './src/mul.js';",
    'const wrong = [[add(2, 3), 5], [sub(5, 3), 2], [mul(2, 3), 6]].findIndex(([is, due]) => is !== due);',
    "if (wrong !== -1) throw new Error('case ' + wrong + ' is wrong');",
    "console.log('3 passing');",
    '',
  ].join('\n'),
};

type Edit = readonly [path: string, from: string, to: string];
const FIRST: readonly Edit[] = [
  ['src/add.js', 'a - b', 'a + b'],
  ['src/sub.js', 'a + b', 'a - b'],
  ['src/mul.js', 'a + b', 'a / b'],
];
const FIX: Edit = ['src/mul.js', 'a / b', 'a * b'];
const COMMIT = 'git -c user.name=t -c user.email=t@localhost commit -qam fix';

/** One kind of step in the words of a vocabulary. */
interface Words {
  readonly search: Call;
  readonly read: (path: string) => Call;
  readonly edit: (edit: Edit) => Call;
  readonly run: (command: string) => Call;
}
type Call = NonNullable<Planned['calls']>[number];

const call = (tool: string, args: object): Call => ({ tool, args });

/** The whole file as it is to be, for a vocabulary that only writes whole files. */
const contentAfter = ([path, from, to]: Edit): string => {
  const name = path.slice(4, -3);
  const before = path === FIX[0] && from === FIX[1] ? `export const ${name} = (a, b) => ${from};\n` : FILES[path as keyof typeof FILES];
  return before.replace(from, to);
};

const WORDS: { readonly [Name in VocabularyName]: Words } = {
  codelab: {
    search: call('search_in_project', { query: '=>' }),
    read: (path) => call('read_file', { path }),
    edit: (edit) => call('write_file', { path: edit[0], content: contentAfter(edit) }),
    run: (command) => call('run_command', { command }),
  },
  'claude-code': {
    search: call('Grep', { pattern: '=>', output_mode: 'content' }),
    read: (path) => call('Read', { file_path: path }),
    edit: ([path, from, to]) => call('Edit', { file_path: path, old_string: from, new_string: to }),
    run: (command) => call('Bash', { command, description: 'run it' }),
  },
  'text-editor': {
    search: call('str_replace_based_edit_tool', { command: 'view', path: 'src' }),
    read: (path) => call('str_replace_based_edit_tool', { command: 'view', path }),
    edit: ([path, from, to]) => call('str_replace_based_edit_tool', { command: 'str_replace', path, old_str: from, new_str: to }),
    run: (command) => call('bash', { command }),
  },
  continue: {
    search: call('grep_search', { query: '=>' }),
    read: (path) => call('read_file', { filepath: path }),
    edit: ([path, from, to]) => call('single_find_and_replace', { filepath: path, old_string: from, new_string: to }),
    run: (command) => call('run_terminal_command', { command }),
  },
  agent: {
    search: call('search', { pattern: '=>' }),
    read: (path) => call('read_file', { path }),
    edit: ([path, from, to]) => call('edit_file', { path, old_string: from, new_string: to }),
    run: (command) => call('run_command', { command }),
  },
};

/** A command stands in the answer of the edits that it has to see; in `codelab`, where each call begins when it is decided, behind it. */
const planOf = ({ search, read, edit, run }: Words, together: boolean): Planned[] => {
  const then = (...calls: Call[]): Planned[] => (together ? [{ calls }] : [{ calls: calls.slice(0, -1) }, { calls: calls.slice(-1) }]);
  return [
    { text: 'Looking.', calls: [search] },
    { calls: FIRST.map(([path]) => read(path)) },
    ...then(...FIRST.map(edit), run('npm test --silent')),
    ...then(edit(FIX), run('npm test --silent')),
    { calls: [run(COMMIT)] },
    { text: 'Done.' },
  ];
};

let model: ScriptedProvider;
let system: System;

beforeAll(async () => {
  model = await startPlannedModel();
  system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
});

afterAll(async () => {
  await system.stop();
  await model.close();
});

const setVocabulary = (session_id: string, vocabulary: string): Promise<Response> =>
  fetch(`${system.gateways[0]?.url ?? ''}/api/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id, vocabulary }),
  });

/** What the model was shown of its tools and their results in a request. */
const shownIn = (request: number): { readonly tools: string[]; readonly results: string[] } => {
  const { body } = model.requests[request]! as unknown as {
    body: { tools?: { function: { name: string } }[]; messages: { role: string; content: unknown }[] };
  };
  const results = body.messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
  return { tools: (body.tools ?? []).map((tool) => tool.function.name), results };
};

/** What stands in the commit that each vocabulary ends with. */
const trees = new Set<string>();

test.each(VOCABULARY_NAMES)(
  verifies('L3:same-task', 'the same task comes to the same files and the same history of git in the vocabulary %s'),
  async (name) => {
    const repository: Repository = await makeRepository({ extra: FILES });
    const words = WORDS[name];
    const steps = planOf(words, name !== 'codelab');
    const first = model.requests.length;
    try {
      expect((await setVocabulary(`task-${name}`, name)).status).toBe(201);
      const target = ['--workspace', repository.root, '--url', system.gateways[0]?.ws ?? '', '--token', system.token];
      const argv = ['exec', ...target, '--session', `task-${name}`, '--approve', 'all', plan(...steps)];
      const result = await runCommand(argv, { env: system.env });
      expect([result.code, result.code === 0 ? '' : result.stderr]).toEqual([0, '']);
      for (const edit of [...FIRST.slice(0, 2), FIX])
        expect(await readFile(join(repository.root, edit[0]), 'utf8')).toBe(contentAfter(edit));
      expect(await repository.git('log', '--format=%s')).toBe('fix\nfirst\n');
      expect(await repository.git('status', '--porcelain')).toBe('');
      expect(trees.add(await repository.git('rev-parse', 'HEAD^{tree}')).size).toBe(1); // to the byte and the mode
    } finally {
      await repository.remove();
    }
    const { tools, results } = shownIn(model.requests.length - 1);
    expect(tools).toContain(words.run('').tool);
    expect(model.requests.length - first).toBe(steps.length);
    expect(results.slice(4).filter((text) => text.includes('3 passing'))).toHaveLength(1);
    expect(results.slice(4).filter((text) => text.includes('case 2 is wrong'))).toHaveLength(1);
    expect(results.slice(0, 4).every((text) => !text.startsWith('Error'))).toBe(true);
  },
);
