import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { run } from '../src/cli/run.mjs';

const sheaf = async (argv, text = '') => {
  const written = { out: '', err: '' };
  const stdout = { write: (piece) => (written.out += piece) };
  const stderr = { write: (piece) => (written.err += piece) };
  const code = await run(argv, { stdin: Readable.from([text]), stdout, stderr });
  return { code, ...written };
};

test('some columns as CSV', async () => {
  assert.deepEqual(await sheaf(['--columns', 'b', '-'], 'a,b\n1,2\n'), { code: 0, out: 'b\n2\n', err: '' });
});
test('as JSON, cast', async () => assert.deepEqual(JSON.parse((await sheaf(['--cast', '--json', '-'], 'a\n1\n')).out), [{ a: 1 }]));
test('a tab between fields', async () => {
  assert.equal((await sheaf(['--separator', '\\t', '-'], 'a\tb\n1\t2\n')).out, 'a,b\n1,2\n');
});
test('a wrong command line is 2, a wrong file 1', async () => {
  assert.equal((await sheaf(['--nosuch', '-'])).code, 2);
  assert.equal((await sheaf([])).code, 2);
  assert.match((await sheaf(['-'], 'a\n"b')).err, /^sheaf: the text ends inside quotes \(line 2/);
});
