import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bashCompletion } from '../../core/completion/bash-completion.js';
import { fishCompletion } from '../../core/completion/fish-completion.js';
import { zshCompletion } from '../../core/completion/zsh-completion.js';
import { buildProgram } from '../build-program.js';
import { readCommandTree } from './read-command-tree.js';

const tree = readCommandTree(buildProgram('1.0.0'));

/** What a shell prints for a script, one word a line. */
const run = (shell: string, words: readonly string[], script: string): readonly string[] => {
  const { status, stdout, stderr } = spawnSync(shell, [...words, script], { encoding: 'utf8', cwd: '/' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((line) => line !== '');
};

/** Asks each shell what may follow the words of a command line; the last word is being typed. */
const SHELLS: Readonly<Record<string, (line: readonly string[]) => readonly string[]>> = {
  bash(line) {
    const words = line.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _codelab; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', ['--norc', '-c'], `${bashCompletion(tree)}\n${ask}`);
  },
  // The widgets that draw need a terminal; what they would be given doesn't.
  zsh(line) {
    const fakes = [
      'compdef() { }',
      '_describe() { local rows=(${(P)2}); rows=(${rows%%:*}); print -rl -- ${(M)rows:#$PREFIX*} }',
      'compadd() { shift; print -rl -- ${(M)@:#$PREFIX*} }',
      '_files() { print -rl -- $~PREFIX*(/) }',
    ].join('\n');
    const words = line.map((word) => `'${word}'`).join(' ');
    const ask = `words=(${words}); CURRENT=${line.length}; PREFIX='${line.at(-1)!}'; _codelab || true`;
    return run('zsh', ['-f', '-c'], `${fakes}\n${zshCompletion(tree)}\n${ask}`);
  },
  fish(line) {
    const found = run('fish', ['--no-config', '-c'], `${fishCompletion(tree)}\ncomplete -C '${line.join(' ')}'`);
    return found.map((row) => row.split('\t')[0]!.replace(/\/$/, ''));
  },
};

for (const [shell, complete] of Object.entries(SHELLS)) {
  const installed = spawnSync(shell, ['--version']).status === 0;
  (installed ? test : test.skip)(`${shell} completes commands, options, their choices and folders`, () => {
    expect([...complete(['codelab', 'se'])].sort()).toEqual(['secrets', 'sessions']);
    expect([...complete(['codelab', ''])].sort()).toEqual(tree[0]!.words.map(({ word }) => word).sort());
    expect(complete(['codelab', 'sessions', 'ex'])).toEqual(['export']);
    expect(complete(['codelab', 'sessions', 'export', '--fo'])).toEqual(['--format']);
    expect(complete(['codelab', 'sessions', 'export', '--format', 'm'])).toEqual(['markdown']);
    expect([...complete(['codelab', 'exec', '--approve', ''])].sort()).toEqual(['all', 'ask', 'none']);
    expect(complete(['codelab', 'chat', '--workspace', '/us'])).toEqual(['/usr']);
    expect(complete(['codelab', 'chat', '--session', 'sessions', '--cont'])).toEqual(['--continue']);
    expect(complete(['codelab', 'exec', '--model', ''])).toEqual([]);
    expect(complete(['codelab', 'completion', 'z'])).toEqual(['zsh']);
  });
}

test('what a description holds is never run by a shell', () => {
  const hostile = [{ path: '', words: [{ word: 'go', description: `'; echo "run $(echo run)" \`echo run\` \\` }], options: [] }];
  for (const [shell, text] of [
    ['bash', bashCompletion(hostile)],
    ['zsh', `compdef() { }\n${zshCompletion(hostile)}`],
    ['fish', fishCompletion(hostile)],
  ] as const) {
    if (spawnSync(shell, ['--version']).status === 0) expect(run(shell, ['-c'], text)).toEqual([]);
  }
});
