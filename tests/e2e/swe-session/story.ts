import * as changes from './changes.js';
import { create, edit, type Goal, look, run, say, submitPlan, task, todos, tryEdit, verify } from './goal.js';
import type { Change, How, Words } from './words.js';

/** What the user says, turn by turn. */
export const MESSAGES = {
  plan: `Three things in this library, please.
1. Streams: a text that is cut between the two quotes of a doubled quote fails. test/stream.test.mjs shows it.
2. A new option \`comment\`, as docs/format.md asks for it, on the command line too. test/comments.test.mjs is there.
3. The option \`delim\` is to be called \`separator\`, everywhere. Not before I say so.
Make a plan first; then do the first one alone.`,
  comments: 'Good. Now the second; tests of what you changed have to pass.',
  rename: 'Now the third: rename it everywhere, docs and tests as well. Then the changelog. All tests have to pass at the end.',
  commit: 'Commit all of it with the message "Read comments, rename delim to separator".',
} as const;

/** What the user misses in the first plan, and must find in the next one. */
export const MISSED = { asks: 'How do you verify it?', wants: 'Verified by `npm test`.' } as const;

/** What the user answers where the model wants to change the test. */
export const FEEDBACK = 'The test is right. Leave it, and decide at the next character, wherever the chunk ends.';

/** What the user makes of the line about comments in the changelog. */
export const OWN_WORDS = {
  from: '- Comments are skipped.',
  to: '- Option `comment`, and `sheaf --comment X`: such lines are left out.',
} as const;

const TODOS = ['Repair streams', 'Read comments', 'Rename delim', 'Write the changelog', 'Commit'];
const progress = (done: number): Goal =>
  todos(TODOS.map((content, place) => ({ content, status: place < done ? 'completed' : place === done ? 'in_progress' : 'pending' })));

const read = (path: string, lines?: Parameters<Words['read']>[1]): Goal => look(`read ${path}`, (words) => words.read(path, lines));
const beside = (goal: Goal): Goal => ({ ...goal, beside: true });
const change = (path: string, how: How, made: readonly Change[], more: object = {}): Goal =>
  edit({ path, how, changes: () => made, ...more });
const rename = (path: string, more: object = {}): Goal => edit({ path, how: 'together', changes: changes.renamed, ...more });
const test = (name: string): string => `node --test test/${name}.test.mjs`;

const LOOK_AROUND: readonly Goal[] = [
  look('list the files', (words) => words.list()),
  read('package.json'),
  beside(read('AGENTS.md')),
  read('README.md'),
  look('find comments', (words) => words.find('comment')),
  read('docs/format.md', { from: 1, count: 24 }),
  read('docs/format.md', { from: 40, count: 20 }),
  read('src/tokenise.mjs'),
  read('src/stream.mjs'),
  beside(read('src/parse.mjs')),
  read('test/stream.test.mjs'),
  read('test/comments.test.mjs'),
  read('src/options.mjs'),
];

const PLAN = `1. src/tokenise.mjs decides about a quote at the next character, not by looking ahead in the chunk.
2. src/options.mjs takes \`comment\`, src/tokenise.mjs leaves such lines out, src/quote.mjs quotes them, the command line and the docs follow.
3. \`separator\` in the place of \`delim\`.`;

const WRONG_TEST = tryEdit({ path: 'test/stream.test.mjs', how: 'exact', changes: () => changes.SKIP_IN_TEST });

const REPAIR: readonly Goal[] = [
  progress(0),
  run('npm test'),
  run(test('stream')),
  WRONG_TEST,
  change('src/tokenise.mjs', 'exact', changes.CLOSE_AT_QUOTE, { because: { told: /decide at the next character/, again: WRONG_TEST } }),
  run(test('stream')),
  run(test('tokenise')),
  change('src/tokenise.mjs', 'diff', changes.OPEN_AGAIN, { because: { told: /UNEXPECTED_TEXT/, again: run(test('tokenise')) } }),
  verify(test('stream')),
  verify(test('tokenise')),
  progress(1),
  say('tell that the first is done', 'Streams can be cut anywhere now.'),
];

const COMMENTS: readonly Goal[] = [
  read('test/comments.test.mjs'),
  read('docs/format.md', { from: 46, count: 6 }),
  change('src/options.mjs', 'together', changes.COMMENT_OPTION),
  change('src/tokenise.mjs', 'together', changes.COMMENTS_OF_A_CHUNK),
  run(test('comments')),
  look('find toField', (words) => words.find('toField')),
  change('src/quote.mjs', 'together', changes.QUOTE_COMMENTS),
  change('src/stringify.mjs', 'exact', changes.TELL_FIRST),
  create('test/quote.test.mjs', changes.TEST_OF_QUOTE),
  verify(test('quote')),
  run(test('comments')),
  change('src/tokenise.mjs', 'diff', changes.COMMENTS_OF_A_STREAM, {
    because: { told: /cut in the middle/, again: run(test('comments')) },
  }),
  verify(test('comments')),
  change('src/cli/arguments.mjs', 'exact', changes.COMMENT_FLAG),
  change('test/cli.test.mjs', 'exact', changes.TEST_FLAG),
  run(test('cli')),
  change('docs/format.md', 'exact', changes.COMMENTS_IN_FORMAT),
  change('README.md', 'exact', changes.COMMENTS_IN_README),
  verify(test('stream')),
  beside(verify(test('stringify'))),
  progress(2),
  say('tell that 1 and 2 are done', '`comment` is read, its tests pass; `--separator` waits for the rename.'),
];

/** What the agent that looks for places is told; nothing else reaches it. */
export const ERRAND =
  'Find every file of this repository that names the option `delim`, tests and docs too. Report one line: "delim stands in: " and the paths.';
const FIND_PLACES = task('find delim', ERRAND);
const because = { told: /delim stands in: .*src\/quote\.mjs/, again: FIND_PLACES };

const RENAME: readonly Goal[] = [
  progress(2),
  FIND_PLACES,
  change('src/options.mjs', 'exact', changes.OLD_NAME, { because }),
  rename('src/options.mjs'),
  rename('src/tokenise.mjs', { because }),
  rename('src/quote.mjs', { because }),
  beside(rename('src/stringify.mjs')),
  rename('src/cli/arguments.mjs', { because }),
  run(test('stringify')),
  rename('test/stringify.test.mjs'),
  beside(rename('test/quote.test.mjs')),
  verify(test('stringify')),
  beside(verify(test('cli'))),
  rename('docs/format.md', { because }),
  rename('README.md'),
  progress(3),
  change('CHANGELOG.md', 'exact', changes.IN_CHANGELOG),
  edit({ path: 'CHANGELOG.md', how: 'exact', changes: changes.oneMoreInChangelog }),
  look('find what is left', (words) => words.find('delim')),
  verify('npm test'),
  progress(4),
  say('tell that all is done', 'All three are done, and all tests pass.'),
];

const COMMIT: readonly Goal[] = [
  look('look at the status', (words) => words.run('git status --short')),
  look('look at the size', (words) => words.run('git diff --stat')),
  look('commit', (words) => words.run('git add -A && git commit -q -m "Read comments, rename delim to separator"')),
  look('look at the log', (words) => words.run('git log --oneline -3')),
  progress(5),
  say('tell the end', 'Committed.'),
];

/** The work, step by step. */
export const STORY: readonly Goal[] = [
  ...LOOK_AROUND,
  submitPlan(PLAN, { asked: /How do you verify it/, added: MISSED.wants }),
  ...REPAIR,
  ...COMMENTS,
  ...RENAME,
  ...COMMIT,
];

/** What the agent does that is sent to look for places; it knows nothing of the rest. */
export const ERRAND_STORY: readonly Goal[] = [
  look('find delim', (words) => words.find('delim')),
  read('src/quote.mjs'),
  beside(read('docs/format.md')),
  {
    title: 'report',
    reachedBy: ({ name }) => name === '',
    act: ({ exchanges }) => {
      const places = exchanges.flatMap(({ text }) => text.match(/\b(?:src|test|docs)\/[\w/.-]+\.m(?:js|d)\b|\bREADME\.md\b/g) ?? []);
      return { text: `delim stands in: ${[...new Set(places)].sort().join(', ')}` };
    },
  },
];
