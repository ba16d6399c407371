import { verifies } from '@codelab/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  for (const path of ['src/a.js', 'src/.env.js', 'lib/a.js', 'lib/a.ts', 'deep/.ssh/x.py', '.env.ts', '.env'])
    temporary.write(path, 'needle\n');
});
afterEach(() => temporary.remove());

const findDoubt = (command: string, cwd = '.'): Promise<string | undefined> =>
  temporary.workspace.findDoubt('run_command', { command, cwd }, new AbortController().signal);

describe(verifies('H1:command-grep', 'grep without an approval reads no file with secrets that its include pattern reaches'), () => {
  test.each([
    ["grep -rn --include='*.js' needle .", 'src/.env.js'],
    ["grep -rn --include '*.js' needle src", 'src/.env.js'],
    ["grep -rn --include='?env.js' needle", 'src/.env.js'],
    ["cd src && grep -rn --include='*.js' needle 2>/dev/null | head", 'src/.env.js'],
    ["grep -rn --include='*.js' needle < lib/a.js", 'src/.env.js'],
    ["grep -rn --include='*.py' needle deep", 'deep/.ssh/x.py'],
    ["grep -rn --include='*.js' --include='*.ts' needle lib .", '.env.ts'],
    ["/usr/bin/grep -rn --include='*.ts' needle", '.env.ts'],
  ])('%s', async (command, path) => {
    expect(await findDoubt(command)).toMatch(new RegExp(`^it would read ${path.replaceAll('.', '\\.')}: `));
    const answer = await temporary.workspace.run('run_command', { command }, { signal: new AbortController().signal, callId: 'call_grep' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'DENIED_BY_POLICY' } });
  });
  test.each(["grep -rn --include='*.js' needle lib", "grep -rn --include='*.ts' needle src lib", 'grep -rn --include=a.js needle .'])(
    '%s reaches none',
    async (command) => {
      expect(await findDoubt(command)).toBeUndefined();
    },
  );
  test('a pattern of many stars costs no more than its length times that of each name', async () => {
    temporary.write(`lib/${'a'.repeat(200)}`, '');
    expect(await findDoubt(`grep -rn --include='${'*a'.repeat(20)}*.js' needle lib`)).toBeUndefined();
  });
  test('seen from where it runs', async () => {
    expect(await findDoubt("grep -rn --include='*.js' needle", 'src')).toContain('.env.js');
    expect(await findDoubt("grep -rn --include='*.js' needle", 'lib')).toBeUndefined();
  });
});
