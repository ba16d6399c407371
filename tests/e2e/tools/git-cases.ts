import { expect } from 'vitest';
import type { ToolCase } from './tool-case.js';

const PATCH = `diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@
 # Title
 
-words
+other words
`;

const PATCHED = '# Title\n\nother words\n';

/** The tools that work with git, patches and the human. */
export const GIT_CASES: readonly ToolCase[] = [
  { name: 'git.diff of a clean tree is empty', tool: 'git.diff', args: { path: '.' }, result: { diff: '' } },
  {
    name: 'git.diff shows what is not staged',
    tool: 'git.diff',
    args: { path: '.', staged: false },
    before: { 'README.md': PATCHED },
    result: { diff: expect.stringContaining('-words\n+other words') },
  },
  {
    name: 'git.diff shows what is staged',
    tool: 'git.diff',
    args: { path: 'README.md', staged: true },
    before: { 'README.md': PATCHED },
    git: [['add', 'README.md']],
    result: { diff: expect.stringContaining('+other words') },
  },
  {
    name: 'git.diff shows files that git does not track',
    tool: 'git.diff',
    args: { path: '.', untracked: true },
    before: { 'new.txt': 'fresh\n' },
    result: { diff: expect.stringMatching(/new file mode[^]*\+fresh/) },
  },
  {
    name: 'apply_patch applies',
    tool: 'apply_patch',
    args: { diff: PATCH },
    result: { success: true, files_modified: ['README.md'] },
    after: { 'README.md': PATCHED },
  },
  {
    name: 'apply_patch wants a clean tree',
    tool: 'apply_patch',
    args: { diff: PATCH },
    before: { 'src/auth.js': 'changed\n' },
    error: 'PATCH_APPLY_FAILED',
    words: ['src/auth.js'],
    after: { 'README.md': '# Title\n\nwords\n' },
  },
  {
    name: 'apply_patch takes a dirty tree where it is told to',
    tool: 'apply_patch',
    args: { diff: PATCH, allow_dirty: true },
    before: { 'src/auth.js': 'changed\n' },
    result: { success: true },
    after: { 'README.md': PATCHED, 'src/auth.js': 'changed\n' },
  },
  {
    name: 'apply_patch refuses what does not fit',
    tool: 'apply_patch',
    args: { diff: PATCH.replace('-words', '-sentences') },
    error: 'PATCH_APPLY_FAILED',
    words: ['README.md'],
    after: { 'README.md': '# Title\n\nwords\n' },
  },
  {
    name: 'apply_patch_review gives what was kept, and changes nothing',
    tool: 'apply_patch_review',
    args: { diff: PATCH, message: 'Look at this' },
    result: { action: 'apply', chunks_selected: [1], chunks_total: 1, filtered_diff: expect.stringContaining('+other words') },
    after: { 'README.md': '# Title\n\nwords\n' },
  },
  {
    name: 'prompt_user gives the choice',
    tool: 'prompt_user',
    args: { message: 'Go on?', actions: ['yes', 'no'] },
    result: { action: 'yes' },
  },
  {
    name: 'git.status of a clean tree',
    tool: 'git.status',
    args: { path: '.' },
    result: { branch: 'main', head: expect.stringMatching(/^[0-9a-f]{40}$/), clean: true, files: [], truncated: false },
  },
  {
    name: 'git.status shows what is staged, changed and new',
    tool: 'git.status',
    args: {},
    before: { 'README.md': PATCHED, 'src/auth.js': 'changed\n', 'new.txt': 'fresh\n' },
    git: [['add', 'README.md']],
    result: {
      clean: false,
      files: expect.arrayContaining([
        expect.objectContaining({ path: 'README.md', staged: 'modified', unstaged: null }),
        expect.objectContaining({ path: 'src/auth.js', staged: null, unstaged: 'modified' }),
        expect.objectContaining({ path: 'new.txt', staged: null, unstaged: 'untracked' }),
      ]),
    },
  },
  {
    name: 'git.log shows commits',
    tool: 'git.log',
    args: { limit: 10, path: 'src/auth.js' },
    result: { commits: [expect.objectContaining({ subject: 'first', parents: [] })], truncated: false },
  },
  {
    name: 'git.branch lists',
    tool: 'git.branch',
    args: { action: 'list' },
    git: [['branch', 'side']],
    result: {
      current: 'main',
      branches: [expect.objectContaining({ name: 'main', current: true }), expect.objectContaining({ name: 'side', current: false })],
    },
  },
  {
    name: 'git.branch creates without switching',
    tool: 'git.branch',
    args: { action: 'create', name: 'feature/new-auth' },
    result: { success: true, name: 'feature/new-auth', current: 'main' },
  },
  {
    name: 'git.branch switches',
    tool: 'git.branch',
    args: { action: 'switch', name: 'side' },
    git: [['branch', 'side']],
    result: { success: true, name: 'side', current: 'side' },
  },
  {
    name: 'git.branch deletes',
    tool: 'git.branch',
    args: { action: 'delete', name: 'side' },
    git: [['branch', 'side']],
    result: { success: true, name: 'side', current: 'main' },
  },
  {
    name: 'git.branch needs a name to create',
    tool: 'git.branch',
    args: { action: 'create' },
    error: 'INVALID_ARGUMENTS',
    words: ['name'],
  },
  {
    name: 'git.branch refuses a name that is an option',
    tool: 'git.branch',
    args: { action: 'delete', name: '--all' },
    error: 'INVALID_ARGUMENTS',
  },
  {
    name: 'git.branch does not switch to what is not there',
    tool: 'git.branch',
    args: { action: 'switch', name: 'nowhere' },
    error: 'GIT_ERROR',
    words: ['nowhere'],
  },
  {
    name: 'git.commit commits the files that it names, and only those',
    tool: 'git.commit',
    args: { message: 'Change the title', files: ['README.md'] },
    before: { 'README.md': PATCHED, 'src/auth.js': 'changed\n' },
    result: { success: true, sha: expect.stringMatching(/^[0-9a-f]{40}$/), branch: 'main', files: ['README.md'] },
  },
  {
    name: 'git.commit commits what is staged',
    tool: 'git.commit',
    args: { message: 'Add authentication logging' },
    before: { 'src/auth.js': 'changed\n' },
    git: [['add', '-A']],
    result: { success: true, files: ['src/auth.js'] },
  },
  { name: 'git.commit makes no empty commit', tool: 'git.commit', args: { message: 'Nothing' }, error: 'GIT_ERROR' },
  {
    name: 'git.commit names a file that is not there',
    tool: 'git.commit',
    args: { message: 'x', files: ['no.txt'] },
    error: 'FILE_NOT_FOUND',
    words: ['no.txt'],
  },
];
