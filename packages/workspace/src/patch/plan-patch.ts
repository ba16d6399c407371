import { applyHunks, type FilePatch, type Hunk, type ParsedPatch } from '@codelab/tools/patch';
import { decodeText } from '../decode-text.js';
import type { FileChange, FilePlan } from '../files/content/file-change.js';
import type { FileState } from '../files/paths/file-state.js';
import { toWorkspacePath, type WorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import type { NewContent } from '../files/content/write-atomically.js';
import { MAX_PATCHED_BYTES, MAX_PATCH_FILES } from '../limits.js';
import { ToolFailure } from '../tool-failure.js';

const fail = (message: string): never => {
  throw new ToolFailure('PATCH_APPLY_FAILED', message);
};

/** Permission bits after the patch: git knows only whether a file can be executed. */
const modeAfter = (newMode: FilePatch['newMode'], before: number | undefined): number => {
  if (before === undefined) return newMode === '100755' ? 0o777 : 0o666;
  if (newMode === undefined) return before;
  return newMode === '100755' ? before | ((before & 0o444) >> 2) : before & ~0o111;
};

const OTHER_WAY = { ' ': ' ', '+': '-', '-': '+' } as const;

/** The way back from a hunk. */
const reverse = ({ oldStart, oldLines, newStart, newLines, section, lines }: Hunk): Hunk => ({
  ...{ oldStart: newStart, oldLines: newLines, newStart: oldStart, newLines: oldLines, section },
  lines: lines.map((line) => ({ ...line, sign: OTHER_WAY[line.sign] })),
});

/** Whether a file is already what hunks would make of it: a diff of the work tree is applied to the work tree. */
const isThere = (file: NewContent | undefined, hunks: readonly Hunk[]): boolean =>
  file !== undefined && applyHunks(file.content.toString(), hunks.map(reverse)).ok;

/**
 * The files of a patch while it is applied in memory. As in git, a rename or a copy takes the file as it was before the patch, whatever
 * the order; other parts see what parts before them did.
 */
class PatchedFiles {
  private readonly paths = new Map<string, WorkspacePath>();
  private readonly before = new Map<string, FileState | undefined>();
  private readonly after = new Map<string, NewContent | undefined>();
  private readonly leaving: ReadonlySet<string>;
  private bytes = 0;

  constructor(
    private readonly files: WorkspaceFiles,
    patch: ParsedPatch,
  ) {
    const removing = patch.filter(({ kind }) => kind === 'rename' || kind === 'delete');
    this.leaving = new Set(removing.map(({ oldPath }) => toWorkspacePath(oldPath!).text));
  }

  async apply(part: FilePatch): Promise<void> {
    const { kind, oldPath, newPath, hunks } = part;
    const source = oldPath === undefined ? undefined : await this.load(oldPath);
    const target = newPath === undefined ? undefined : await this.load(newPath);
    const original = source === undefined ? undefined : this.contentOf(source, kind === 'rename' || kind === 'copy');
    if (source !== undefined && original === undefined) fail(`${source} does not exist; nothing was changed.`);
    if (kind !== 'modify' && target !== undefined) this.assertFree(target);
    const applied = applyHunks(original === undefined ? '' : decodeText(original.content, source!), hunks);
    if (!applied.ok) {
      const problem = isThere(original, hunks) ? 'its changes are in the file already' : applied.problem;
      return fail(`${target ?? source!}: ${problem}; nothing was changed.`);
    }
    if (kind === 'delete' && applied.content !== '') fail(`${source!} has more in it than the patch deletes; nothing was changed.`);
    if (source !== undefined && kind === 'delete') this.after.set(source, undefined);
    if (source !== undefined && kind === 'rename' && !this.after.has(source)) this.after.set(source, undefined);
    if (target !== undefined) this.put(target, { content: Buffer.from(applied.content), mode: modeAfter(part.newMode, original?.mode) });
  }

  plan(): FilePlan {
    const files = [...this.paths.values()].map((path): FileChange & { readonly changes: boolean } => {
      const [before, after] = [this.before.get(path.text), this.after.get(path.text)];
      const changes = this.after.has(path.text) && (before !== undefined || after !== undefined);
      return { path, changes, before, after };
    });
    return { changes: files.filter(({ changes }) => changes), sources: files.filter(({ path }) => !this.after.has(path.text)) };
  }

  private async load(text: string): Promise<string> {
    const path = toWorkspacePath(text);
    if (this.before.has(path.text)) return path.text;
    if (this.paths.size >= MAX_PATCH_FILES) fail(`The patch touches more than ${String(MAX_PATCH_FILES)} files; split it.`);
    const state = await this.files.readForChange(path, 'refuse');
    this.paths.set(path.text, path);
    this.before.set(path.text, state);
    this.count(state?.content.length ?? 0);
    return path.text;
  }

  private contentOf(path: string, asBefore: boolean): NewContent | undefined {
    return asBefore || !this.after.has(path) ? this.before.get(path) : this.after.get(path);
  }

  private assertFree(path: string): void {
    const taken = this.after.has(path) ? this.after.get(path) !== undefined : this.before.get(path) !== undefined;
    if (taken && !this.leaving.has(path)) fail(`${path} exists already, and the patch would create it; nothing was changed.`);
  }

  private put(path: string, content: NewContent): void {
    this.after.set(path, content);
    this.count(content.content.length);
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MAX_PATCHED_BYTES)
      throw new ToolFailure(
        'FILE_TOO_LARGE',
        `The files of the patch have more than ${String(MAX_PATCHED_BYTES)} bytes together; split it.`,
      );
  }
}

/**
 * Works out what a patch would do, without doing it: our own applier on text, so that no file is reached but through `files` (W1), and never
 * through a link.
 *
 * @throws ToolFailure `PATCH_APPLY_FAILED` if it does not fit, or the code of the file that stands in its way
 */
export async function planPatch(patch: ParsedPatch, files: WorkspaceFiles): Promise<FilePlan> {
  const patched = new PatchedFiles(files, patch);
  for (const part of patch) await patched.apply(part);
  return patched.plan();
}
