import { describe, expect, test } from 'vitest';
import { findShell, handTo, type SystemShell } from './choose-shell.js';
import { commandEnvironment } from './command-environment.js';
import { OutputEnds } from './output-ends.js';
import { parsePs } from './process-table.js';

describe('on every system', () => {
  const shellOn = (platform: NodeJS.Platform, there: readonly string[], environment = {}): Promise<SystemShell> =>
    findShell({ platform, environment, isExecutable: (path) => Promise.resolve(there.includes(path)) });

  test('a command goes to bash where it is, else to the shell of the system', async () => {
    expect(await shellOn('linux', ['/bin/bash'])).toEqual({ program: '/bin/bash', posix: true });
    expect(await shellOn('darwin', [])).toEqual({ program: '/bin/sh', posix: true });
    expect(handTo({ program: '/bin/bash', posix: true }, '-x')).toEqual({
      program: '/bin/bash',
      args: ['-c', '--', '-x'],
      verbatim: false,
    });
    expect(handTo({ program: 'cmd.exe', posix: false }, 'dir "a b"')).toEqual({
      program: 'cmd.exe',
      args: ['/d', '/s', '/c', '"dir "a b""'],
      verbatim: true,
    });
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['C:\\Program Files\\Git\\bin\\bash.exe', { ProgramFiles: 'C:\\Program Files' }, []],
    ['C:\\Users\\a\\AppData\\Local\\Programs\\Git\\bin\\bash.exe', { LocalAppData: 'C:\\Users\\a\\AppData\\Local' }, []],
    ['D:\\Git\\bin\\bash.exe', { Path: 'C:\\Windows\\System32;D:\\Git\\cmd' }, ['D:\\Git\\cmd\\git.exe']],
    ['D:\\Git\\bin\\bash.exe', { PATH: 'D:\\Git\\mingw64\\bin' }, ['D:\\Git\\mingw64\\bin\\git.exe']],
  ])('on Windows Git Bash is found: %s', async (bash, environment, there) => {
    const wsl = 'C:\\Windows\\System32\\bash.exe';
    expect(await shellOn('win32', [...there, wsl, bash], environment)).toEqual({ program: bash, posix: true });
    expect(await shellOn('win32', [...there, wsl], { ...environment, SystemRoot: 'C:\\Windows' })).toEqual({
      program: 'C:\\Windows\\System32\\cmd.exe',
      posix: false,
    });
  });

  test('no relative place on Windows is looked at', async () => {
    expect((await shellOn('win32', ['git.exe', 'bin\\bash.exe', '..\\bin\\bash.exe'], { Path: '.;;bin', ProgramFiles: '.' })).posix).toBe(
      false,
    );
  });

  test('ps says what /proc would', () => {
    const text =
      '  1     0     1 Ss   Sat Nov 21 10:00:00 2026\n 20     1    20 S+   Sun Nov 22 04:00:01 2026   \n 21 1 20 Z Sun Nov 22 04:00:01 2026\n';
    const began = Date.parse('Sun Nov 22 04:00:01 2026');
    expect(parsePs(text)).toEqual([
      expect.objectContaining({ pid: 1 }),
      { pid: 20, parent: 1, group: 20, session: 20, began, birth: 'Sun Nov 22 04:00:01 2026' },
    ]);
  });

  test('names of variables are kept from a command in any letter case', () => {
    const given = {
      Codelab_Token: 'x',
      openai_api_key: 'x',
      GROQ_API_KEY: 'x',
      MY_API_KEY: 'mine',
      LD_PRELOAD: 'mine',
      ENV: 'x',
      'BASH_FUNC_ls%%': 'x',
    };
    expect(Object.keys(commandEnvironment('/ws', 'm', given)).sort()).toEqual(
      ['CODELAB_PROCESS', 'GIT_EDITOR', 'GIT_PAGER', 'GIT_TERMINAL_PROMPT', 'LD_PRELOAD', 'MY_API_KEY', 'NO_COLOR', 'PAGER', 'TERM'].sort(),
    );
  });
});

test('output that is cut in the middle keeps its characters, wherever chunks end', () => {
  const whole = Buffer.from('ab€'.repeat(200_000));
  for (const size of [1021, 65_536, whole.length]) {
    const kept = new OutputEnds();
    let streamed = '';
    for (let at = 0; at < whole.length; at += size) streamed += kept.add(whole.subarray(at, at + size));
    expect(streamed + kept.end()).toBe(whole.toString());
    const [head, count, tail] = kept.text.split(/\n… (\d+) bytes left out …\n/) as [string, string, string];
    expect(head + tail).not.toContain('\ufffd');
    expect(Buffer.byteLength(head) + Number(count) + Buffer.byteLength(tail)).toBe(whole.length);
    expect(whole.toString().startsWith(head) && whole.toString().endsWith(tail)).toBe(true);
  }
});
