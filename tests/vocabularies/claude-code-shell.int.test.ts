import { afterEach, describe, expect, test } from 'vitest';
import { claudeCode } from '@codelab/vocabularies';
import { eventually, verifies } from '@codelab/testkit';
import { Uses, type UsesOptions } from './run-use.js';

let uses: Uses;
const start = async (options: Partial<UsesOptions> = {}): Promise<void> => {
  uses = await Uses.start({ vocabulary: claudeCode, files: { 'src/a.ts': 'x' }, ...options });
};
afterEach(() => uses.stop());

const said = async (name: string, args: object): Promise<string> => {
  const { text, isError = false } = await uses.use(name, args);
  return (isError ? '! ' : '') + text.replaceAll(uses.root, 'R');
};

describe(verifies('L3:vocabulary-claude-code', 'each tool of claude-code answers as documented'), () => {
  test('Bash: the directory carries over while it is inside, variables do not', async () => {
    await start();
    expect(await said('Bash', { command: 'cd src; A=1; pwd' })).toBe('R/src');
    expect(await said('Bash', { command: 'pwd; echo "[$A]"' })).toBe('R/src\n[]');
    expect(await said('Glob', { pattern: '*.ts' })).toBe('R/src/a.ts');
    expect(await said('Bash', { command: 'cd / && false' })).toBe('! Exit code 1\n(no output)\n[directory reset to R]');
    expect(await said('Bash', { command: 'pwd' })).toBe('R');
  });

  test('Bash: the first 20,000 and the last 10,000 characters', async () => {
    await start();
    const text = await said('Bash', { command: 'seq 1 20000' });
    expect(text.length).toBeLessThan(30_200);
    expect(text.startsWith('1\n2\n')).toBe(true);
    expect(text.endsWith('\n19999\n20000')).toBe(true);
    expect(text).toMatch(/\n\[cut: \d+ characters left out; all of it: codelab-log:/);
  });

  test('Bash: a command that runs too long', async () => {
    await start();
    expect(await said('Bash', { command: 'echo begun; sleep 60', timeout: 300 })).toMatch(/^! Command timed out after 0\.3 seconds\nbegun/);
  });

  test('Bash in the background, BashOutput, KillShell', async () => {
    await start();
    await uses.use('Bash', { command: 'cd src' });
    expect(await said('Bash', { command: 'pwd; sleep 60', run_in_background: true })).toBe('Running in the background as bash_1.');
    await eventually('it has written', async () => (await said('BashOutput', { bash_id: 'bash_1' })) === 'status: running\n\nR/src');
    expect(await said('BashOutput', { bash_id: 'bash_1' })).toBe('status: running\n\n(no new output)');
    expect(await said('KillShell', { shell_id: 'bash_1' })).toBe('Stopped bash_1.');
    expect(await said('TaskOutput', { task_id: 'bash_1' })).toMatch(/^status: killed\n/);
    expect(await said('BashOutput', { bash_id: 'bash_9' })).toBe('! Error: no background command bash_9');
    expect(await said('KillBash', { shell_id: 'bash_9' })).toBe('! Error: no background command bash_9');
  });

  test(
    verifies('L3:case-30', 'what a filter drops does not come back, whatever the expression; an ended command stays ended'),
    async () => {
      await start();
      await uses.use('Bash', { command: 'echo one; echo two; exit 3', run_in_background: true });
      const ended = await uses.use('BashOutput', { bash_id: 'bash_1', block: true, filter: 'tw' });
      expect(ended.text).toBe('status: failed\nexit_code: 3\n\ntwo');
      expect(await said('BashOutput', { bash_id: 'bash_1' })).toBe('status: failed\nexit_code: 3\n\n(no new output)');
      expect(await said('TaskOutput', { task_id: 'bash_1' })).toBe('status: failed\nexit_code: 3\n\n(no new output)');
      expect(await said('TaskStop', { task_id: 'bash_1' })).toBe('bash_1 had ended (exit code 3).');
      await uses.use('Bash', { command: `printf '%060000d' 0 | tr 0 a; echo b`, run_in_background: true });
      expect(await said('BashOutput', { bash_id: 'bash_2', block: true, filter: '(a+)+$' })).toBe(
        'status: completed\nexit_code: 0\n\n(no new output)',
      );
      expect(await said('BashOutput', { bash_id: 'bash_2', filter: '(' })).toMatch(/^! Error \[INVALID_ARGUMENTS\]: filter: /);
    },
  );
});
