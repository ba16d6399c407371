import { afterEach, describe, expect, test } from 'vitest';
import { claudeCode } from '@codelab/vocabularies';
import { verifies } from '@codelab/testkit';
import { Uses, type UsesOptions } from './run-use.js';

const A = 'export const PORT = 8080;\nexport function add(a: number, b: number) {\n  return a + b;\n}\n';
const B = "import { add } from './a';\nconsole.log(add(1, 2));\n";
const FILES = { 'src/a.ts': A, 'src/b.ts': B };

let uses: Uses;
const start = async (options: Partial<UsesOptions> = {}): Promise<Uses> =>
  (uses = await Uses.start({ vocabulary: claudeCode, files: FILES, ...options }));
afterEach(() => uses.stop());

/** What the model reads, with the root as `R`. */
const said = async (name: string, args: object): Promise<string> => {
  const { text, isError = false } = await uses.use(name, args);
  return (isError ? '! ' : '') + text.replaceAll(uses.root, 'R');
};
const at = (path: string): string => `${uses.root}/${path}`;

describe(verifies('L3:vocabulary-claude-code', 'each tool of claude-code answers as documented'), () => {
  test('Bash', async () => {
    await start({ without: ['x5'] });
    expect(await said('Bash', { command: 'echo 12 passing', description: 'run tests' })).toBe('12 passing');
    expect(await said('Bash', { command: 'false' })).toBe('! Exit code 1\n(no output)');
    expect(await said('Bash', { command: 'echo out; echo err >&2; exit 3' })).toBe('! Exit code 3\nout\nerr');
  });

  test('Read', async () => {
    await start();
    const numbered = A.trimEnd()
      .split('\n')
      .map((line, place) => `${String(place + 1)}\t${line}`);
    expect(await said('Read', { file_path: at('src/a.ts') })).toBe(numbered.join('\n'));
    expect(await said('Read', { file_path: at('src/a.ts'), offset: 3, limit: 1 })).toBe(
      '3\t  return a + b;\n[lines 3-3 of 4; read on with offset 4]',
    );
    expect(await said('Read', { file_path: 'src/a.ts', offset: 9 })).toBe('! Error: offset 9 is past the end; R/src/a.ts has 4 lines');
    expect(await said('Read', { file_path: at('src/A.ts') })).toBe('! Error: no file at R/src/A.ts; nearest name: R/src/a.ts');
    expect(await said('Read', { file_path: at('src') })).toBe('! Error: R/src is a directory');
  });

  test('Write', async () => {
    await start();
    expect(await said('Write', { file_path: at('src/c.ts'), content: 'x\n' })).toBe('Created R/src/c.ts (2 bytes, 1 lines).');
    expect(await said('Write', { file_path: at('src/b.ts'), content: 'x' })).toBe('! Error: read R/src/b.ts before changing it');
    await uses.use('Read', { file_path: at('src/b.ts') });
    expect(await said('Write', { file_path: at('src/b.ts'), content: 'x\ny' })).toBe('Replaced R/src/b.ts (3 bytes, 2 lines).');
    expect(uses.read('src/b.ts')).toBe('x\ny');
  });

  test('Edit', async () => {
    await start();
    await uses.use('Read', { file_path: at('src/a.ts') });
    expect(await said('Edit', { file_path: at('src/a.ts'), old_string: 'number', new_string: 'bigint' })).toBe(
      '! Error: old_string occurs 2 times in R/src/a.ts (lines 2, 2). Add lines around it, or set replace_all.',
    );
    expect(await said('Edit', { file_path: at('src/a.ts'), old_string: '8080', new_string: '9090' })).toBe(
      'Edited R/src/a.ts: 1 replacement(s).\n1\texport const PORT = 9090;\n2\texport function add(a: number, b: number) {\n3\t  return a + b;\n4\t}',
    );
    expect(uses.read('src/a.ts')).toBe(A.replace('8080', '9090'));
  });

  test('MultiEdit', async () => {
    await start();
    await uses.use('Read', { file_path: at('src/a.ts') });
    const path = { file_path: at('src/a.ts') };
    const port = { old_string: '8080', new_string: '9090' };
    expect(await said('MultiEdit', { ...path, edits: [port, { old_string: 'a - b', new_string: 'c' }] })).toBe(
      '! Error: edit 2: old_string was not found in R/src/a.ts. Most similar line 3:   return a + b;',
    );
    expect(uses.read('src/a.ts')).toBe(A);
    expect(await said('MultiEdit', { ...path, edits: [port, { old_string: 'a + b', new_string: 'b + a' }] })).toBe(
      'Edited R/src/a.ts: 2 replacements in 2 edits.',
    );
    expect(await said('MultiEdit', { ...path, edits: [] })).toBe('! Error [INVALID_ARGUMENTS]: edits: 0 items; expected 1-100');
  });

  test('Glob', async () => {
    await start();
    uses.write('src/b.ts', `${B}\n`);
    expect((await said('Glob', { pattern: 'src/**/*.ts' })).split('\n').toSorted()).toEqual(['R/src/a.ts', 'R/src/b.ts']);
    expect(await said('Glob', { pattern: '*.ts', path: at('src') })).toContain('R/src/a.ts');
    expect(await said('Glob', { pattern: at('src/*.ts') })).toContain('R/src/a.ts');
    expect(await said('Glob', { pattern: '**/*.py' })).toBe('No files found');
  });

  test('Grep', async () => {
    await start();
    expect(await said('Grep', { pattern: 'add\\(', output_mode: 'content' })).toBe(
      'R/src/a.ts:2:export function add(a: number, b: number) {\nR/src/b.ts:2:console.log(add(1, 2));',
    );
    expect(await said('Grep', { pattern: 'ADD', '-i': true, output_mode: 'count' })).toBe('R/src/a.ts:1\nR/src/b.ts:2\n3 lines in 2 files');
    expect((await said('Grep', { pattern: 'add' })).split('\n').toSorted()).toEqual(['R/src/a.ts', 'R/src/b.ts']);
    expect(await said('Grep', { pattern: 'nothing like it' })).toBe('No matches found');
    expect(await said('Grep', { pattern: 'return', output_mode: 'content', '-C': 1, path: 'src/a.ts' })).toBe(
      'R/src/a.ts-2-export function add(a: number, b: number) {\nR/src/a.ts:3:  return a + b;\nR/src/a.ts-4-}',
    );
    expect(await said('Grep', { pattern: '\\d+', output_mode: 'content', '-o': true, '-n': false, path: 'src/b.ts' })).toBe(
      'R/src/b.ts:1\nR/src/b.ts:2',
    );
    expect(await said('Grep', { pattern: 'a', output_mode: 'content', head_limit: 1, path: 'src/a.ts' })).toMatch(
      /\n\[1 of \d+; offset 1 goes on\]$/,
    );
    expect(await said('Grep', { pattern: '(', output_mode: 'content' })).toMatch(/^! Error \[INVALID_ARGUMENTS\]: /);
  });

  test('TodoWrite', async () => {
    await start();
    const todo = { content: 'Fix port', status: 'in_progress', activeForm: 'Fixing port' };
    expect(await said('TodoWrite', { todos: [todo] })).toBe('Todos saved: 0 pending, 1 in progress, 0 done.');
    expect(await said('TodoWrite', { todos: [todo, todo] })).toContain('More than one is in progress.');
    expect(await said('TodoWrite', { todos: [{ content: 'x', status: 'open', activeForm: 'x' }] })).toBe(
      '! Error [INVALID_ARGUMENTS]: todos[0].status: "open"; expected pending, in_progress or completed',
    );
  });

  test('Task', async () => {
    await start({ executors: { task: ({ prompt }) => ({ ok: true, result: { text: `${prompt as string} In line 1.` } }) } });
    expect(await said('Task', { description: 'find port', prompt: 'Where?', subagent_type: 'ask' })).toBe('Where? In line 1.');
    expect(await said('Task', { description: 'x', prompt: 'x', subagent_type: 'wizard' })).toBe(
      '! Error [INVALID_ARGUMENTS]: subagent_type: "wizard"; expected orchestrator, coder, architect, debug, ask',
    );
  });

  test('WebSearch with both lists is refused', async () => {
    await start();
    expect(await said('WebSearch', { query: 'nodejs', allowed_domains: ['a.b'], blocked_domains: ['c.d'] })).toBe(
      '! Error [INVALID_ARGUMENTS]: blocked_domains: given with allowed_domains; expected one of them',
    );
  });

  test('NotebookEdit', async () => {
    const cell = {
      cell_type: 'code',
      id: 'c1',
      metadata: {},
      source: ['x = 1'],
      outputs: [{ output_type: 'stream', text: ['1\n'] }],
      execution_count: 1,
    };
    const notebook = JSON.stringify({ cells: [cell], metadata: { kernel: 'k' }, nbformat: 4, nbformat_minor: 5 }, undefined, 1);
    await start({ files: { 'n.ipynb': `${notebook}\n` } });
    expect(await said('Read', { file_path: 'n.ipynb' })).toBe('<cell id="c1" type="code">\nx = 1\n</cell>\n<output>\n1\n</output>');
    expect(await said('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'c1', new_source: 'x = 2' })).toBe(
      'Replaced cell c1 in R/n.ipynb.',
    );
    expect(await said('NotebookEdit', { notebook_path: 'n.ipynb', edit_mode: 'insert', new_source: '# T' })).toBe(
      '! Error [INVALID_ARGUMENTS]: cell_type: missing; expected code or markdown',
    );
    expect(await said('NotebookEdit', { notebook_path: 'n.ipynb', edit_mode: 'insert', cell_type: 'markdown', new_source: '# T' })).toBe(
      'Inserted cell new-2 in R/n.ipynb.',
    );
    expect(await said('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'zz', new_source: '' })).toBe(
      '! Error: no cell zz; there are: new-2, c1',
    );
    expect(await said('NotebookEdit', { notebook_path: 'n.ipynb', cell_id: 'new-2', edit_mode: 'delete', new_source: '' })).toBe(
      'Deleted cell new-2 in R/n.ipynb.',
    );
    const changed = { ...cell, source: ['x = 2'], outputs: [], execution_count: null };
    expect(uses.read('n.ipynb')).toBe(
      notebook.replace(/"cells": \[[^]*\n \],\n "metadata"/, () => `"cells": ${indented([changed])},\n "metadata"`) + '\n',
    );
  });
});

const indented = (cells: object[]): string => JSON.stringify({ cells }, undefined, 1).slice('{\n "cells": '.length, -2);
