import { expect } from 'vitest';
import type { ToolCase } from './tool-case.js';

const LONG = 'a'.repeat(256);
const MEGABYTE = 1024 * 1024;
const SHA_OF_TITLE = '2f60a8d14e0db2f4f1b3b0c4cb5f0b6a8e8f2e6c9d1a7b3c5e4f60718293a4b5';

const onEveryPath = (path: string): [tool: string, args: Record<string, string>][] => [
  ['read_file', { path }],
  ['write_file', { path, content: 'x' }],
  ['list_files', { path }],
  ['search_in_project', { query: 'x', path }],
  ['create_directory', { path }],
  ['delete_file', { path }],
  ['move_file', { from: path, to: 'b.txt' }],
  ['move_file', { from: 'README.md', to: path }],
  ['git.diff', { path }],
  ['git.status', { path }],
  ['git.log', { path }],
];

const refused = (name: string, path: string, error: ToolCase['error']): ToolCase[] =>
  onEveryPath(path).map(([tool, args]) => ({
    name: `${tool} refuses ${name}${'to' in args && args.to === path ? ' as target' : ''}`,
    tool,
    args,
    error,
  }));

/** The tools that read and write files. */
export const FILE_CASES: readonly ToolCase[] = [
  { name: 'read_file reads', tool: 'read_file', args: { path: 'README.md' }, result: { content: '# Title\n\nwords\n', encoding: 'utf-8' } },
  { name: 'read_file names what is not there', tool: 'read_file', args: { path: 'no.txt' }, error: 'FILE_NOT_FOUND', words: ['no.txt'] },
  {
    name: 'read_file refuses a byte more than 1 MB',
    tool: 'read_file',
    args: { path: 'big.txt' },
    before: { 'big.txt': 'x'.repeat(MEGABYTE + 1) },
    error: 'FILE_TOO_LARGE',
    words: ['big.txt', '1048577', '1048576'],
  },
  {
    name: 'read_file reads 1 MB',
    tool: 'read_file',
    args: { path: 'big.txt' },
    before: { 'big.txt': 'x'.repeat(MEGABYTE) },
    result: { content: 'x'.repeat(MEGABYTE) },
  },
  {
    name: 'read_file refuses what is binary',
    tool: 'read_file',
    args: { path: 'image' },
    before: { image: 'PNG\0\0data' },
    error: 'ENCODING_ERROR',
    words: ['image'],
  },
  ...refused('a climbing path', '../README.md', 'PATH_OUTSIDE_WORKSPACE'),
  ...refused('a climbing path that stays inside', 'src/../README.md', 'PATH_OUTSIDE_WORKSPACE'),
  ...refused('an absolute path', '/etc/hostname', 'PATH_OUTSIDE_WORKSPACE'),
  ...refused('NUL', 'a\0b', 'INVALID_PATH'),
  ...refused('256 characters', LONG, 'INVALID_PATH'),
  {
    name: 'write_file creates a file with its directories',
    tool: 'write_file',
    args: { path: 'new/deep/a.txt', content: 'alpha\n' },
    result: { success: true, bytes_written: 6 },
    after: { 'new/deep/a.txt': 'alpha\n' },
  },
  {
    name: 'write_file refuses a file that is not the one expected',
    tool: 'write_file',
    args: { path: 'README.md', content: 'x', expected_sha256: SHA_OF_TITLE },
    error: 'CONFLICT',
    words: ['README.md'],
    after: { 'README.md': '# Title\n\nwords\n' },
  },
  {
    name: 'write_file refuses more than 1 MB',
    tool: 'write_file',
    args: { path: 'big.txt', content: 'x'.repeat(MEGABYTE + 1) },
    error: 'FILE_TOO_LARGE',
    words: ['big.txt', '1048577'],
    after: { 'big.txt': null },
  },
  { name: 'an argument is missing', tool: 'write_file', args: { path: 'a.txt' }, error: 'INVALID_ARGUMENTS', words: ['content'] },
  {
    name: 'an argument is not one of the tool',
    tool: 'read_file',
    args: { path: 'README.md', mode: 'r' },
    error: 'INVALID_ARGUMENTS',
    words: ['mode'],
  },
  {
    name: 'list_files lists one directory without what git ignores',
    tool: 'list_files',
    args: { path: '.' },
    result: {
      entries: [
        expect.objectContaining({ path: '.gitignore', type: 'file' }),
        { path: 'README.md', type: 'file', size: 15 },
        expect.objectContaining({ path: 'src', type: 'directory' }),
      ],
      truncated: false,
    },
  },
  {
    name: 'list_files finds by pattern at any depth',
    tool: 'list_files',
    args: { path: 'src', recursive: true, pattern: '*.test.js' },
    result: { entries: [expect.objectContaining({ path: 'src/util/text.test.js', type: 'file' })], truncated: false },
  },
  {
    name: 'list_files says that there is more',
    tool: 'list_files',
    args: { path: '.', recursive: true, limit: 2 },
    result: { entries: [expect.anything(), expect.anything()], truncated: true },
  },
  {
    name: 'list_files names what is not there',
    tool: 'list_files',
    args: { path: 'nowhere' },
    error: 'FILE_NOT_FOUND',
    words: ['nowhere'],
  },
  {
    name: 'search_in_project finds lines and columns, not in what git ignores',
    tool: 'search_in_project',
    args: { query: 'todo' },
    result: { matches: [expect.objectContaining({ path: 'src/auth.js', line: 2, column: 4, text: '// TODO check' })], truncated: false },
  },
  {
    name: 'search_in_project heeds upper and lower case',
    tool: 'search_in_project',
    args: { query: 'todo', path: 'src', case_sensitive: true },
    result: { matches: [], truncated: false },
  },
  {
    name: 'search_in_project takes a regular expression and shows what stands around',
    tool: 'search_in_project',
    args: { query: 'log(in|out)', path: 'src', regex: true, context_lines: 1, limit: 1 },
    result: { matches: [expect.objectContaining({ path: 'src/auth.js', line: 1, after: ['// TODO check'] })], truncated: true },
  },
  {
    name: 'search_in_project takes a text as it is',
    tool: 'search_in_project',
    args: { query: '()' },
    result: { truncated: false, matches: expect.arrayContaining([expect.objectContaining({ line: 1 })]) },
  },
  {
    name: 'search_in_project says what is wrong with an expression',
    tool: 'search_in_project',
    args: { query: '(', regex: true },
    error: 'INVALID_ARGUMENTS',
  },
  {
    name: 'create_directory creates',
    tool: 'create_directory',
    args: { path: 'src/utils/deep' },
    result: { success: true, created: true },
  },
  {
    name: 'create_directory leaves what is there',
    tool: 'create_directory',
    args: { path: 'src' },
    result: { success: true, created: false },
  },
  {
    name: 'create_directory replaces no file',
    tool: 'create_directory',
    args: { path: 'README.md' },
    error: 'CONFLICT',
    words: ['README.md'],
  },
  {
    name: 'delete_file deletes a file',
    tool: 'delete_file',
    args: { path: 'README.md' },
    result: { success: true, files_deleted: 1 },
    after: { 'README.md': null },
  },
  {
    name: 'delete_file deletes a directory',
    tool: 'delete_file',
    args: { path: 'src' },
    result: { success: true, files_deleted: 3 },
    after: { 'src/auth.js': null, 'src/util/text.js': null },
  },
  {
    name: 'delete_file names what is not there',
    tool: 'delete_file',
    args: { path: 'no.txt' },
    error: 'FILE_NOT_FOUND',
    words: ['no.txt'],
  },
  { name: 'delete_file spares the repository', tool: 'delete_file', args: { path: '.git' }, error: 'INVALID_PATH' },
  {
    name: 'move_file moves a file',
    tool: 'move_file',
    args: { from: 'README.md', to: 'docs/readme.md' },
    result: { success: true },
    after: { 'README.md': null, 'docs/readme.md': '# Title\n\nwords\n' },
  },
  {
    name: 'move_file replaces nothing',
    tool: 'move_file',
    args: { from: 'README.md', to: 'src/auth.js' },
    error: 'CONFLICT',
    words: ['src/auth.js'],
    after: { 'README.md': '# Title\n\nwords\n' },
  },
  {
    name: 'move_file names what is not there',
    tool: 'move_file',
    args: { from: 'no.txt', to: 'b.txt' },
    error: 'FILE_NOT_FOUND',
    words: ['no.txt'],
  },
];
