import { expect, test } from 'vitest';
import { collectAnswer, NOTE_PREFIX, type Answer, type Message, type ModelTool } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import { offlineModel } from './offline-model.js';

const MVP = ['read_file', 'write_file', 'git_diff', 'apply_patch', 'apply_patch_review', 'prompt_user'];
const ALL = [
  ...MVP,
  'list_files',
  'search_in_project',
  'run_command',
  'create_directory',
  'git_status',
  'git_log',
  'git_commit',
  'delete_file',
  'move_file',
  'git_branch',
  'run_persistent',
  'kill_process',
];
const DIFF = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';

type Call = readonly [tool: string, args: object];
type Result = string | { readonly error: string };
type Execute = (tool: string, args: Record<string, unknown>) => Result;

const toTools = (names: readonly string[]): ModelTool[] => names.map((name) => ({ name, description: '', parameters: { type: 'object' } }));
const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }] });
const ask = (messages: readonly Message[], tools: readonly string[] = ALL) =>
  collectAnswer(offlineModel({ model: 'offline', messages, tools: toTools(tools) }));

/** Files `a.txt` and `b.txt`; everything else succeeds with `{}`. */
const workspace: Execute = (tool, { path }) => {
  if (tool !== 'read_file') return '{"success":true}';
  if (path === 'a.txt') return JSON.stringify({ content: 'one\ntwo\none\n', encoding: 'utf-8' });
  return path === 'b.txt' ? '{"content":"bee","encoding":"utf-8"}' : { error: `Error [FILE_NOT_FOUND]: File not found: ${String(path)}` };
};

interface Conversation {
  /** The calls of each answer. */
  readonly steps: Call[][];
  readonly text: string;
  readonly messages: Message[];
}

function toMessages(answer: Answer, turn: number, execute: Execute): Message[] {
  const ids = answer.toolCalls.map((_call, i) => `call_${turn}_${i}`);
  const calls = answer.toolCalls.map((call, i) => ({
    kind: 'tool_call' as const,
    id: ids[i] ?? '',
    name: call.name,
    arguments: call.arguments,
  }));
  const results = answer.toolCalls.map((call, i): Message => {
    const result = execute(call.name, JSON.parse(call.arguments) as Record<string, unknown>);
    const content = typeof result === 'string' ? result : result.error;
    return { role: 'tool', parts: [{ kind: 'tool_result', id: ids[i] ?? '', content, isError: typeof result !== 'string' }] };
  });
  return [
    { role: 'assistant', parts: [...(answer.text === '' ? [] : [{ kind: 'text' as const, text: answer.text }]), ...calls] },
    ...results,
  ];
}

/** Plays a whole turn against tools, as the runtime would. */
async function converse(request: string, { execute = workspace, tools = ALL, before = [] as Message[] } = {}): Promise<Conversation> {
  const messages = [...before, user(request)];
  const steps: Call[][] = [];
  for (let turn = 0; turn < 20; turn++) {
    const answer = await ask(messages, tools);
    messages.push(...toMessages(answer, turn, execute));
    if (answer.finish === 'stop') return { steps, text: answer.text, messages };
    steps.push(answer.toolCalls.map(({ name, arguments: args }) => [name, JSON.parse(args) as object]));
  }
  throw new Error(`The turn never ends: ${JSON.stringify(steps)}`);
}

const write = (path: string, content: string): Call => ['write_file', { path, content }];
const read = (path: string): Call => ['read_file', { path }];
const rewrite = (path: string, content: string): Call[][] => [
  [read(path)],
  [['write_file', { path, content, expected_sha256: expect.any(String) }]],
];

test.each<[request: string, steps: Call[][]]>([
  ['read a.txt', [[read('a.txt')]]],
  ['Read a.txt.', [[read('a.txt')]]],
  ['Hi! Could you please show me the file src/my-app/a.b.ts?', [[read('src/my-app/a.b.ts')]]],
  ['open "my notes.txt"', [[read('my notes.txt')]]],
  ['cat ./.env and ../secret', [[read('./.env'), read('../secret')]]],
  ['what is in README', [[read('README')]]],
  ['read notes', [[read('notes')]]],
  ['read a.txt and b.txt', [[read('a.txt'), read('b.txt')]]],
  ['read a.txt, b.txt, and a.txt', [[read('a.txt'), read('b.txt')]]],
  ['Read a.txt. Read b.txt', [[read('a.txt'), read('b.txt')]]],
  ['read a.txt and show the diff', [[read('a.txt'), ['git_diff', { path: '.' }]]]],
  ['read a.txt then read b.txt', [[read('a.txt')], [read('b.txt')]]],
  ['read this\n\nAttached files: a.txt (lines 1-9)', [[read('a.txt')]]],
  [
    'list files\n\nAttached files: the user ran: ls -la (exit 0)\n\n<file name="x">\ntotal 9\n</file>',
    [[['list_files', { path: '.', recursive: false }]]],
  ],
  ['read this\n\nAttached files: a.txt, the user ran: cat b.txt, c.txt (exit 0)', [[read('a.txt')]]],
  ['a.txt를 읽어줘', [[read('a.txt')]]],
  ['b.txt 파일 보여줘', [[read('b.txt')]]],
  ['прочитай a.txt', [[read('a.txt')]]],
  ['покажи файл "мой файл.txt"', [[read('мой файл.txt')]]],
  ['list files', [[['list_files', { path: '.', recursive: false }]]]],
  ['ls src', [[['list_files', { path: 'src', recursive: false }]]]],
  ['list all files in src/app', [[['list_files', { path: 'src/app', recursive: true }]]]],
  ['what files are in this project?', [[['list_files', { path: '.', recursive: false }]]]],
  ['find files *.ts in src', [[['list_files', { path: 'src', recursive: true, pattern: '*.ts' }]]]],
  ['파일 목록', [[['list_files', { path: '.', recursive: false }]]]],
  ['покажи список файлов', [[['list_files', { path: '.', recursive: false }]]]],
  ['search for TODO', [[['search_in_project', { query: 'TODO' }]]]],
  ['search "a and b" in src/', [[['search_in_project', { query: 'a and b', path: 'src/' }]]]],
  ['grep foo bar in the project', [[['search_in_project', { query: 'foo bar' }]]]],
  ['where is parseArguments defined?', [[['search_in_project', { query: 'parseArguments' }]]]],
  ['найди TODO в src/', [[['search_in_project', { query: 'TODO', path: 'src/' }]]]],
  ['diff', [[['git_diff', { path: '.' }]]]],
  ['show me the staged diff', [[['git_diff', { path: '.', staged: true }]]]],
  ['what changed in src/a.ts?', [[['git_diff', { path: 'src/a.ts' }]]]],
  ['변경 사항 보여줘', [[['git_diff', { path: '.' }]]]],
  ['git status', [[['git_status', { path: '.' }]]]],
  ['show the git log', [[['git_log', { limit: 10 }]]]],
  ['list branches', [[['git_branch', { action: 'list' }]]]],
  ['create branch feature/x', [[['git_branch', { action: 'create', name: 'feature/x' }]]]],
  [
    'create a new branch called wip and switch to wip',
    [[['git_branch', { action: 'create', name: 'wip' }]], [['git_branch', { action: 'switch', name: 'wip' }]]],
  ],
  ['delete branch wip', [[['git_branch', { action: 'delete', name: 'wip' }]]]],
  ['start npm run dev as dev', [[['run_persistent', { command: 'npm run dev', process_id: 'dev' }]]]],
  ['show the output of dev', [[['run_persistent', { action: 'status', process_id: 'dev' }]]]],
  ['list processes', [[['run_persistent', { action: 'list' }]]]],
  ['stop dev', [[['kill_process', { process_id: 'dev' }]]]],
  ['create c.txt with hello', [[write('c.txt', 'hello')]]],
  ['create a file called c.txt with the content "line 1\\nline 2"', [[write('c.txt', 'line 1\nline 2')]]],
  ["create src/x.js containing 'read a.txt and then delete it'", [[write('src/x.js', 'read a.txt and then delete it')]]],
  ['create c.txt: hello, and goodbye', [[write('c.txt', 'hello, and goodbye')]]],
  ['create an empty file c.txt', [[write('c.txt', '')]]],
  ['write hello to c.txt', [[write('c.txt', 'hello')]]],
  ['save `x = 1` into c.py', [[write('c.py', 'x = 1')]]],
  ['create c.py with\n```python\nprint("hi")\n\nrun()\n```', [[write('c.py', 'print("hi")\n\nrun()\n')]]],
  ['создай c.txt с текстом "привет"', [[write('c.txt', 'привет')]]],
  ['c.txt에 "안녕"이라고 써줘', [[write('c.txt', '안녕')]]],
  ['append "three" to a.txt', rewrite('a.txt', 'one\ntwo\none\nthree\n')],
  ['append x to b.txt', rewrite('b.txt', 'bee\nx\n')],
  ['replace one with 1 in a.txt', rewrite('a.txt', '1\ntwo\n1\n')],
  ['change "two\\n" to "" in a.txt', rewrite('a.txt', 'one\none\n')],
  ['In a.txt, replace one by $& and two', rewrite('a.txt', '$& and two\ntwo\n$& and two\n')],
  ['remove "two" from a.txt', rewrite('a.txt', 'one\n\none\n')],
  ['замени one на два в a.txt', rewrite('a.txt', 'два\ntwo\nдва\n')],
  ['a.txt에서 one을 하나로 바꿔줘', rewrite('a.txt', '하나\ntwo\n하나\n')],
  ['delete a.txt and b.txt', [[['delete_file', { path: 'a.txt' }]], [['delete_file', { path: 'b.txt' }]]]],
  ['rename a.txt to c.txt', [[['move_file', { from: 'a.txt', to: 'c.txt' }]]]],
  ['create directory src/new', [[['create_directory', { path: 'src/new' }]]]],
  ['run npm test', [[['run_command', { command: 'npm test', cwd: '.' }]]]],
  ['run `npm test && echo done`', [[['run_command', { command: 'npm test && echo done', cwd: '.' }]]]],
  [
    'run npm test, then commit all with message "Green"',
    [[['run_command', { command: 'npm test', cwd: '.' }]], [['git_commit', { message: 'Green', files: ['.'] }]]],
  ],
  ['commit a.txt as fix: the thing', [[['git_commit', { message: 'fix: the thing', files: ['a.txt'] }]]]],
  ['ask me "Go on?"', [[['prompt_user', { message: 'Go on?', actions: ['yes', 'no'] }]]]],
  [
    'ask me which colour with options red, green or blue',
    [[['prompt_user', { message: 'Which colour?', actions: ['red', 'green', 'blue'] }]]],
  ],
  ['confirm with me', [[['prompt_user', { message: 'Do you want to continue?', actions: ['approve', 'deny'] }]]]],
  ['read b.txt then create c.txt with done', [[read('b.txt')], [write('c.txt', 'done')]]],
  ['create c.txt with x and create d.txt with y', [[write('c.txt', 'x')], [write('d.txt', 'y')]]],
  [`apply this patch:\n\`\`\`diff\n${DIFF}\`\`\``, [[['apply_patch', { diff: DIFF }]]]],
  [`apply this patch\n${DIFF}`, [[['apply_patch', { diff: DIFF }]]]],
  [`please apply, the tree is dirty:\n${DIFF}`, [[['apply_patch', { diff: DIFF, allow_dirty: true }]]]],
])('%j', async (request, steps) => {
  expect((await converse(request)).steps).toEqual(steps);
});

test.each(["don't delete a.txt", 'never run npm test', 'write me a poem', 'read', 'explain quantum physics', 'is a.txt important?', ''])(
  '%j calls nothing and gets help',
  async (request) => {
    const { steps, text } = await converse(request);
    expect(steps).toEqual([]);
    expect(text).toMatch(/not a language model.*OPENAI_API_KEY.*OPENAI_BASE_URL/s);
    expect(text).toContain('- read README.md');
  },
);

test('it says once in a conversation what it is, and what it did not understand each time', async () => {
  const first = await converse('read b.txt and translate it to French');
  expect(first.text).toContain('`b.txt` has 1 line:\n\n```\nbee\n```');
  expect(first.text).toContain('not a language model');
  const second = await converse('read b.txt, then please sing; read a.txt', { before: first.messages });
  expect(second.text).not.toContain('not a language model');
});

test('only what was offered is called, under the name it was offered with', async () => {
  expect((await converse('show the diff', { tools: ['git.diff'] })).steps).toEqual([[['git.diff', { path: '.' }]]]);
  const { steps, text } = await converse('read a.txt and list files', { tools: MVP });
  expect(steps).toEqual([]);
  expect(text).toMatch(/does not offer `list_files`/);
  expect(text).not.toContain('- list files');
  expect((await converse('help', { tools: [] })).text).toContain('No tool that I know was offered');
});

test('an optional argument that the offered tool does not have is left out', async () => {
  const parameters = { type: 'object', properties: { path: {}, content: {} } };
  const tools = MVP.map((name) => ({ name, description: '', parameters: name === 'write_file' ? parameters : {} }));
  const messages = (await converse('append x to b.txt')).messages.slice(0, 3);
  const { toolCalls } = await collectAnswer(offlineModel({ model: 'offline', messages, tools }));
  expect(toolCalls).toMatchObject([{ name: 'write_file', arguments: '{"path":"b.txt","content":"bee\\nx\\n"}' }]);
});

test('a review applies what was kept, and nothing when nothing was', async () => {
  const kept = DIFF.replace('two', 'three');
  const reviewing =
    (result: object): Execute =>
    (tool) =>
      tool === 'apply_patch_review' ? JSON.stringify(result) : '{"success":true,"files_modified":["a.txt"]}';
  const request = `review and apply this patch\n${DIFF}`;
  const some = await converse(request, {
    execute: reviewing({ action: 'apply', filtered_diff: kept, chunks_selected: [1], chunks_total: 3 }),
  });
  expect(some.steps).toEqual([[['apply_patch_review', { diff: DIFF, message: expect.any(String) }]], [['apply_patch', { diff: kept }]]]);
  expect(some.text).toContain('You kept 1 of 3 chunks. Applied the patch to `a.txt`.');
  const none = await converse(request, {
    execute: reviewing({ action: 'cancel', filtered_diff: '', chunks_selected: [], chunks_total: 3 }),
  });
  expect(none.steps).toHaveLength(1);
  expect(none.text).toContain('applied nothing');
});

test('after a question nothing goes on without a yes', async () => {
  const answering =
    (action: string): Execute =>
    (tool) =>
      tool === 'prompt_user' ? JSON.stringify({ action }) : '{}';
  const request = 'ask me "Really?", then create c.txt with x';
  expect((await converse(request, { execute: answering('yes') })).steps).toHaveLength(2);
  const no = await converse(request, { execute: answering('no') });
  expect(no.steps).toHaveLength(1);
  expect(no.text).toMatch(/You answered `no`.*did not write `c.txt`/s);
});

test.each<[error: string, said: RegExp]>([
  [
    'Error [FILE_NOT_FOUND]: File not found: z.txt',
    /could not read `z.txt`: there is no such file \(FILE_NOT_FOUND\)\. It said: File not found: z.txt/,
  ],
  ['Error [PATH_OUTSIDE_WORKSPACE]: no', /leads out of the workspace/],
  ['Error [DENIED_BY_USER]: use b.txt instead', /you rejected it.*use b.txt instead/],
  ['Error [DENIED_BY_POLICY]: ', /a rule forbids it \(DENIED_BY_POLICY\)\.\n/],
  ['Error [OUTCOME_UNKNOWN]: x', /nobody knows whether it took effect/],
  ['something odd', /the tool failed \(FAILED\)\. It said: something odd/],
])(verifies('R3:offline-stops', 'after %j it explains, stops, and repeats nothing'), async (error, said) => {
  const { steps, text } = await converse('read z.txt, then create c.txt with x', { execute: () => ({ error }) });
  expect(steps).toEqual([[read('z.txt')]]);
  expect(text).toMatch(said);
  expect(text).toContain('So I did not write `c.txt`.');
});

test('one failure of two side by side is told beside the success', async () => {
  const { text } = await converse('read b.txt and z.txt');
  expect(text).toContain('`b.txt` has 1 line');
  expect(text).toContain('could not read `z.txt`');
});

test('a text to replace that is not there changes nothing', async () => {
  const { steps, text } = await converse('replace nine with 9 in a.txt');
  expect(steps).toEqual([[read('a.txt')]]);
  expect(text).toContain('`nine` is not in `a.txt`, so I changed nothing.');
});

test('arguments that a human edited are the ones it speaks of', async () => {
  const call = (args: object): Message => ({
    role: 'assistant',
    parts: [{ kind: 'tool_call', id: 'x', name: 'write_file', arguments: JSON.stringify(args) }],
  });
  const done: Message = {
    role: 'tool',
    parts: [{ kind: 'tool_result', id: 'x', content: '{"success":true,"bytes_written":3}', isError: false }],
  };
  const { text } = await ask([user('create c.txt with hello'), call({ path: 'd.txt', content: 'bye' }), done]);
  expect(text).toContain('Wrote 3 bytes to `d.txt`, as you edited it.');
});

test('a long file is quoted in part, a fence in it does not end the quote', async () => {
  const content = `\`\`\`js\n${'x\n'.repeat(99)}`;
  const { text } = await converse('read a.txt', { execute: () => JSON.stringify({ content }) });
  expect(text).toContain('`a.txt` has 100 lines:\n\n````\n```js\n');
  expect(text).toContain('````\n… and 80 more lines');
});

test('only the last thing a person said counts; notes are not that', async () => {
  const { messages } = await converse('create c.txt with x', { execute: () => ({ error: 'Error [CANCELLED]: stopped' }) });
  const next = await ask([...messages, user('read b.txt'), user(`${NOTE_PREFIX}delete a.txt`)]);
  expect(next.toolCalls).toMatchObject([{ name: 'read_file', arguments: '{"path":"b.txt"}' }]);
});

test('a mentioned file is a path, and what was attached of it is not what the person said', async () => {
  const attached = 'what is in @a.txt:1-2?\n\nAttached files: a.txt (lines 1-2)\n\n<file name="a.txt (lines 1-2)">\none\ntwo\n</file>';
  const { toolCalls } = await ask([user(attached)]);
  expect(toolCalls.map(({ name, arguments: args }) => [name, args])).toEqual([['read_file', '{"path":"a.txt"}']]);
});

test('the same conversation always gets the same answer, in small pieces', async () => {
  const parts = async () => {
    const all = [];
    for await (const part of offlineModel({ model: 'offline', messages: [user('help')], tools: toTools(ALL) })) all.push(part);
    return all;
  };
  expect(await parts()).toEqual(await parts());
  const texts = (await parts()).filter(({ kind }) => kind === 'text_delta');
  expect(texts.length).toBeGreaterThan(20);
  expect(await ask([user('help')])).toMatchObject({ finish: 'stop', usage: { inputTokens: 0, outputTokens: 0 } });
});

test('a cancel ends it', async () => {
  const abort = new AbortController();
  const read = async () => {
    for await (const _part of offlineModel({ model: 'offline', messages: [user('help')], tools: [] }, abort.signal)) abort.abort();
  };
  await expect(read()).rejects.toMatchObject({ code: 'cancelled' });
});

test.each([['and '], ['read '], ['"'], ['` '], ['```\n'], ['a.txt, '], ['replace a to '], ['the '], ['. show '], ['\n']])(
  'a message of 10,000 characters of %j is answered in time',
  async (piece) => {
    const started = performance.now();
    await ask([user(piece.repeat(10_000 / piece.length))]);
    await ask([user(`replace ${piece.repeat(9_000 / piece.length)} in a.txt`)]);
    expect(performance.now() - started).toBeLessThan(20_000);
  },
);
