import type { Preview } from '@codelab/protocol';
import { formatPatch, splitLines, type FilePatch, type Hunk, type PatchLine } from '@codelab/tools/patch';
import { structuredPatch } from 'diff';
import type { FileChange } from '../files/content/file-change.js';
import { MAX_PREVIEW_CHARACTERS, PREVIEW_DIFF_MS } from '../limits.js';

const CONTEXT = 3;

const textOf = (content: Buffer | undefined): string | undefined => {
  if (content === undefined) return '';
  const text = content.toString('utf8');
  return content.includes(0) || !Buffer.from(text).equals(content) ? undefined : text;
};

const toPatchLines = (lines: readonly string[]): PatchLine[] => {
  const result: PatchLine[] = [];
  for (const line of lines) {
    if (line.startsWith('\\')) result.push({ ...result.pop()!, noNewline: true });
    else result.push({ sign: line[0] as PatchLine['sign'], text: line.slice(1) }); // the library writes these three signs
  }
  return result;
};

const linesWith = (sign: '+' | '-', text: string): PatchLine[] =>
  splitLines(text).map((line) =>
    line.endsWith('\n') ? { sign, text: line.slice(0, -1) } : { sign, text: line, noNewline: true as const },
  );

/** Everything goes and everything comes: what is shown when comparing would take too long. */
const replaceAll = (before: string, after: string): Hunk[] => {
  const [old, now] = [linesWith('-', before), linesWith('+', after)];
  const start = (lines: readonly PatchLine[]): number => (lines.length === 0 ? 0 : 1);
  return [{ oldStart: start(old), oldLines: old.length, newStart: start(now), newLines: now.length, section: '', lines: [...old, ...now] }];
};

const compare = (before: string, after: string): Hunk[] => {
  if (before === '' || after === '') return before === after ? [] : replaceAll(before, after);
  const found = structuredPatch('a', 'b', before, after, undefined, undefined, { context: CONTEXT, timeout: PREVIEW_DIFF_MS });
  return found?.hunks.map((hunk) => ({ ...hunk, section: '', lines: toPatchLines(hunk.lines) })) ?? replaceAll(before, after);
};

const gitMode = (mode: number): '100644' | '100755' => ((mode & 0o100) === 0 ? '100644' : '100755');

const toFilePatch = (path: string, { before, after }: FileChange, hunks: readonly Hunk[]): FilePatch => {
  if (before === undefined) return { kind: 'create', newPath: path, newMode: gitMode(after!.mode), hunks };
  if (after === undefined) return { kind: 'delete', oldPath: path, oldMode: gitMode(before.mode), hunks };
  const [oldMode, newMode] = [gitMode(before.mode), gitMode(after.mode)];
  const modes = oldMode === newMode ? undefined : { oldMode, newMode };
  return { kind: 'modify', oldPath: path, newPath: path, ...modes, hunks };
};

const describe = (change: FileChange): string => {
  const { path, before, after } = change;
  const [old, now] = [textOf(before?.content), textOf(after?.content)];
  if (old === undefined || now === undefined)
    return `${path.text}: ${String(before?.content.length ?? 0)} bytes that are not text become ${String(after?.content.length ?? 0)} bytes\n`;
  const patch = toFilePatch(path.text, change, compare(old, now));
  const changesNothing = patch.kind === 'modify' && patch.hunks.length === 0 && patch.newMode === undefined;
  return changesNothing ? `${path.text}: written again with the same content\n` : formatPatch([patch]);
};

const cut = (text: string): string => {
  if (text.length <= MAX_PREVIEW_CHARACTERS) return text;
  const room = MAX_PREVIEW_CHARACTERS - 100;
  const kept = text.slice(0, text.lastIndexOf('\n', room) + 1 || room);
  return `${kept}\n… ${String(text.length - kept.length)} more characters are not shown\n`;
};

/** What changes of files look like to an approver: a unified diff made from the files themselves, not from what the caller says of it. */
export const previewChanges = (changes: readonly FileChange[]): Preview => ({ kind: 'diff', text: cut(changes.map(describe).join('')) });

/** The same for one file. */
export const previewChange = (change: FileChange): Preview => previewChanges([change]);
