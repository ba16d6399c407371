import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

/** Example 2 of the specification: `git.diff`, `apply_patch_review`, `apply_patch`. */
let temporary: TemporaryWorkspace;
const lines = (...changed: readonly number[]): string =>
  Array.from({ length: 30 }, (_, at) => (changed.includes(at) ? `changed ${String(at)}\n` : `line ${String(at)}\n`)).join('');

beforeEach(async () => {
  temporary = await temporaryWorkspace({
    ask: { promptUser: () => Promise.reject(new Error('not asked')), reviewPatch: () => Promise.resolve({ action: 'apply', chunks: [1] }) },
  });
  temporary.git('init', '-q');
  temporary.write('auth.js', lines());
  temporary.write('other.js', 'other\n');
  temporary.git('add', '-A');
  temporary.git('commit', '-qm', 'x');
});
afterEach(() => temporary.remove());

const run = async (tool: string, args: JsonObject): Promise<JsonObject> => {
  const answer = await temporary.run(tool, args);
  if (typeof answer === 'string') throw new Error(`${tool} failed: ${answer}`);
  return answer;
};

/** Two changes are made and shown; one is kept. */
const keepOne = async (): Promise<string> => {
  temporary.write('auth.js', lines(2, 25));
  const { diff } = await run('git.diff', { path: '.' });
  const review = await run('apply_patch_review', { diff: diff!, message: 'Review your changes' });
  expect(review).toMatchObject({ action: 'apply', chunks_selected: [1], chunks_total: 2 });
  return review['filtered_diff'] as string;
};

test(verifies('W2:patch-example', 'what was kept of a diff is applied to the clean tree: the kept change, and no other'), async () => {
  const diff = await keepOne();
  temporary.git('stash', '-q');
  expect(await run('apply_patch', { diff })).toEqual({ success: true, files_modified: ['auth.js'] });
  expect(temporary.read('auth.js')).toBe(lines(2));
});

test(verifies('W2:patch-example', 'beside other changes it is applied with allow_dirty, if it fits what is there'), async () => {
  const diff = await keepOne();
  temporary.git('checkout', '-q', '.');
  temporary.write('other.js', 'changed\n');
  expect(await temporary.failure('apply_patch', { diff })).toMatch(/^PATCH_APPLY_FAILED: The work tree is not clean: other\.js\. /);
  expect(await run('apply_patch', { diff, allow_dirty: true })).toEqual({ success: true, files_modified: ['auth.js'] });
  expect([temporary.read('auth.js'), temporary.read('other.js')]).toEqual([lines(2), 'changed\n']);
});

test('a diff of the work tree does not fit the work tree: its changes are there, and the error says so', async () => {
  const diff = await keepOne();
  expect(await temporary.failure('apply_patch', { diff })).toMatch(/^PATCH_APPLY_FAILED: The work tree is not clean: auth\.js\. /);
  expect(await temporary.failure('apply_patch', { diff, allow_dirty: true })).toBe(
    'PATCH_APPLY_FAILED: auth.js: its changes are in the file already; nothing was changed.',
  );
  expect(temporary.read('auth.js')).toBe(lines(2, 25));
});
