import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { findJsonFault } from './find-json-fault.js';
import { parseArguments } from './parse-arguments.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { findTool, TOOLS } from '../tools/tools.js';

const tool = (name: string): ToolDefinition => findTool(name)!;
/** A tool that takes whatever is JSON. */
const anything: ToolDefinition = { ...tool('read_file'), name: 'anything', parameters: { type: 'object' } };
const messageOf = (definition: ToolDefinition, text: string): string => {
  const parsed = parseArguments(definition, text);
  return parsed.ok ? 'accepted' : `${parsed.code} ${parsed.message}`;
};

test('the text stays byte for byte what it was, and the arguments are its value', () => {
  const text = ' {"path" : "src\\/a.js"}\n';
  expect(parseArguments(tool('read_file'), text)).toEqual({ ok: true, args: { path: 'src/a.js' }, text });
});

test.each(['', '  \n'])('nothing at all (%p) means an empty object', (text) => {
  expect(parseArguments(anything, text)).toEqual({ ok: true, args: {}, text: '{}' });
  expect(messageOf(tool('read_file'), text)).toBe('INVALID_ARGUMENTS read_file: "path" is missing. Its arguments are: path.');
});

test('a null counts as absent', () => {
  expect(parseArguments(tool('git.diff'), '{"path":".","staged":null}')).toMatchObject({ ok: true, args: { path: '.', staged: null } });
  expect(messageOf(tool('git.diff'), '{"path":null}')).toContain('"path" is missing');
});

describe(verifies('H2:unambiguous-arguments', 'arguments that two programs could read differently are refused'), () => {
  test.each([
    ['a repeated name', '{"a":1,"a":2}', 'the name "a" is there twice'],
    ['a name repeated with an escape', '{"a":1,"\\u0061":2}', 'the name "a" is there twice'],
    ['a name repeated deep inside', '{"x":[{"a":1, "b":[1,2], "a":2}]}', 'the name "a" is there twice'],
    ['a lone surrogate', '{"a":"\\ud800"}', 'lone surrogate'],
    ['a lone surrogate in a name', '{"\\udfff":1}', 'lone surrogate'],
    ['an integer beyond 2^53−1', '{"a":9007199254740992}', 'beyond ±(2^53−1)'],
    ['a negative one', '{"a":[-9007199254740993]}', 'beyond ±(2^53−1)'],
    ['a number that is no finite double', '{"a":1e400}', 'out of range'],
    ['too many levels', '{"a":'.repeat(63) + '{}' + '}'.repeat(63), 'nested deeper than 63 levels'],
  ])('%s', (_name, text, problem) => expect(messageOf(anything, text)).toContain(problem));

  test.each([
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"b","b":"a","c":["a","a","b"]}',
    '{"a":9007199254740991,"b":-9007199254740991,"c":1e-7,"d":-0.5,"e":0}',
    '{"a":"\\ud83d\\ude00 \\" \\\\","b":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":'.repeat(62) + '{}' + '}'.repeat(62),
  ])('but not %.60s', (text) => expect(messageOf(anything, text)).toBe('accepted'));

  test('whatever JSON.stringify prints of plain values is accepted', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });
    const text = fc.string({ unit: 'grapheme' });
    const value = fc.dictionary(text, fc.oneof(text, number, fc.boolean(), fc.array(fc.dictionary(text, number))));
    fc.assert(
      fc.property(value, (plain) => {
        expect(findJsonFault(JSON.stringify(plain, null, 1))).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});

test.each([
  ['not JSON', '{"path":', 'not valid JSON'],
  ['a list', '["a"]', 'one JSON object'],
  ['a word', '"a"', 'one JSON object'],
  ['null', 'null', 'one JSON object'],
  ['a wrong type', '{"path":1}', '"path" must be string'],
  ['an unknown argument', '{"path":"a","pth":"b"}', 'there is no argument "pth"'],
])('%s is refused in words that the model can act on', (_name, text, words) => {
  expect(messageOf(tool('read_file'), text)).toContain(words);
});

test('the examples of the specification are valid', () => {
  const examples: Record<string, string> = {
    read_file: '{"path":"src/auth.js"}',
    write_file: '{"path":"src/logger.js","content":"export const log = (msg) => console.log(msg);"}',
    'git.diff': '{"path":".","staged":false}',
    apply_patch: '{"diff":"diff --git a/src/auth.js..."}',
    apply_patch_review: '{"diff":"diff --git...","message":"Review changes to authentication module"}',
    prompt_user: '{"message":"Do you want to continue?","actions":["approve","deny","review"]}',
    list_files: '{"path":"src","recursive":true,"pattern":"*.dart"}',
    search_in_project: '{"query":"authenticate","path":"src","case_sensitive":false}',
    create_directory: '{"path":"src/utils"}',
    delete_file: '{"path":"src/old_file.js"}',
    move_file: '{"from":"src/old.js","to":"src/new.js"}',
    run_command: '{"command":"npm install","cwd":"."}',
    run_persistent: '{"command":"npm run dev","process_id":"dev_server"}',
    kill_process: '{"process_id":"dev_server"}',
    'git.status': '{"path":"."}',
    'git.log': '{"limit":10,"path":"src/auth.js"}',
    'git.branch': '{"action":"create","name":"feature/new-auth"}',
    'git.commit': '{"message":"Add authentication logging"}',
  };
  for (const { name } of TOOLS) expect(messageOf(tool(name), examples[name]!)).toBe('accepted');
});

test('a big argument is read in time that grows with it, not faster', () => {
  const content = '\n"\\'.repeat(300_000);
  const text = JSON.stringify({ path: 'a', content });
  const began = process.hrtime.bigint();
  expect(messageOf(tool('write_file'), text)).toBe('accepted');
  expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(30_000);
});
