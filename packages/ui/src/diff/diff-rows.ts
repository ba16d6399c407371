import { changeRuns, type DiffFile, type DiffHunk, type DiffLine, type DiffSection } from '@codelab/tools/patch';

export type DiffMode = 'unified' | 'split';

/** One row of a diff on the screen. `key` names it for as long as the diff is the same. */
export type DiffRow = { readonly key: string; readonly section: number } & (
  | { readonly kind: 'file'; readonly title: FileTitle; readonly isClosed: boolean }
  | { readonly kind: 'note'; readonly text: string; readonly tone: NoteTone }
  /** Lines of the file that the diff doesn't show. `lines` is not known before the first hunk of a change without numbers. */
  | { readonly kind: 'gap'; readonly lines: number; readonly context?: string | undefined }
  /** Unchanged lines that the diff has, and that are folded away; `fold` opens them. */
  | { readonly kind: 'fold'; readonly fold: string; readonly lines: number }
  | { readonly kind: 'line'; readonly hunk: DiffHunk; readonly index: number; readonly startsChange: boolean }
  | {
      readonly kind: 'pair';
      readonly hunk: DiffHunk;
      readonly left?: number | undefined;
      readonly right?: number | undefined;
      readonly startsChange: boolean;
    }
);

type NoteTone = 'plain' | 'warning' | 'raw' | 'added' | 'removed';

/** What stands over the changes of a file. */
export interface FileTitle {
  readonly path: string;
  /** Where it comes from, if it is renamed or copied. */
  readonly from?: string | undefined;
  /** What happens to it beside its lines, in words. */
  readonly words: readonly string[];
  readonly added: number;
  readonly removed: number;
}

/** How a diff is laid out. */
export interface DiffLayout {
  readonly mode: DiffMode;
  /** Folds that were opened, and sections that were closed. */
  readonly opened: ReadonlySet<string>;
  readonly closed: ReadonlySet<number>;
}

/** Unchanged lines that stay in sight on either side of a change; fewer than {@link MIN_FOLDED} beyond them are not folded. */
const KEPT_CONTEXT = 3;
const MIN_FOLDED = 4;

/** The rows of a diff, in their order. */
export const rowsOf = (sections: readonly DiffSection[], layout: DiffLayout): readonly DiffRow[] =>
  sections.flatMap((section, index) => rowsOfSection(section, index, layout));

/** What stands over a section; none over words. */
export function titleOf(section: DiffSection): FileTitle | undefined {
  switch (section.kind) {
    case 'file':
      return titleOfFile(section.file);
    case 'binary':
      return { path: section.path, words: [`${section.change === 'changed' ? '' : `${section.change}, `}not text`], added: 0, removed: 0 };
    case 'unreadable':
      return { path: section.path ?? 'A change', words: ['shown as it came'], added: 0, removed: 0 };
    case 'words':
      return undefined;
  }
}

const KINDS: Readonly<Record<DiffFile['kind'], string>> = {
  modify: '',
  create: 'new file',
  delete: 'deleted',
  rename: 'renamed',
  copy: 'copied',
};

/** What happens to a file, in words: `renamed`, `can be executed now`. */
export function titleOfFile({ path, from, kind, mode, added, removed }: DiffFile): FileTitle {
  const executable = mode === undefined ? '' : mode === '100755' ? 'can be executed' : 'can’t be executed any more';
  return { path, from, added, removed, words: [KINDS[kind], executable].filter((word) => word !== '') };
}

function rowsOfSection(section: DiffSection, index: number, layout: DiffLayout): readonly DiffRow[] {
  const title = titleOf(section);
  const isClosed = layout.closed.has(index);
  const head: readonly DiffRow[] = title === undefined ? [] : [{ kind: 'file', key: `${index}`, section: index, title, isClosed }];
  if (isClosed) return head;
  const note = (text: string, tone: NoteTone, at = 0): DiffRow => ({ kind: 'note', key: `${index}n${at}`, section: index, text, tone });
  switch (section.kind) {
    case 'words':
      return section.text.split('\n').map((line, at) => note(line, 'plain', at));
    case 'binary':
      return [...head, note('The file isn’t text, so its change can’t be shown.', 'plain')];
    case 'unreadable':
      return [
        ...head,
        note(`It can’t be read as a patch (${section.problem}), so it is shown as it came.`, 'warning'),
        ...section.text
          .trimEnd()
          .split('\n')
          .map((line, at) => note(line, rawTone(line), at + 1)),
      ];
    case 'file':
      return [...head, ...rowsOfFile(section.file, index, layout, note)];
  }
}

/** What a line of a change that can't be read looks like. */
const rawTone = (line: string): NoteTone => (/^\+(?!\+\+ )/.test(line) ? 'added' : /^-(?!-- )/.test(line) ? 'removed' : 'raw');

function rowsOfFile(
  file: DiffFile,
  section: number,
  layout: DiffLayout,
  note: (text: string, tone: NoteTone) => DiffRow,
): readonly DiffRow[] {
  if (file.hunks.length === 0) return [note(file.kind === 'create' ? 'The file is empty.' : 'No line of the file changes.', 'plain')];
  let last = 0;
  return file.hunks.flatMap((hunk, at) => {
    const first = firstOld(hunk);
    const lines = Math.max(0, first - last - 1);
    last = lastOld(hunk, first);
    const gap: readonly DiffRow[] =
      lines === 0 || file.kind === 'create' ? [] : [{ kind: 'gap', key: `${section}g${at}`, section, lines, context: hunk.section }];
    return [...gap, ...rowsOfHunk(hunk, { section, at, layout })];
  });
}

const firstOld = ({ lines }: DiffHunk): number => {
  const known = lines.find(({ old }) => old !== undefined)?.old;
  if (known !== undefined) return known;
  return lines[0]?.now ?? 1; // nothing of the old side is known: close enough for a gap
};
const lastOld = ({ lines }: DiffHunk, first: number): number => lines.findLast(({ old }) => old !== undefined)?.old ?? first - 1;

/** The rows of one hunk. */
export function rowsOfHunk(
  hunk: DiffHunk,
  { section, at, layout }: { readonly section: number; readonly at: number; readonly layout: Pick<DiffLayout, 'mode' | 'opened'> },
): readonly DiffRow[] {
  const { lines } = hunk;
  const rows: DiffRow[] = [];
  const key = (index: number): string => `${section}.${at}.${index}`;
  const context = (from: number, to: number): void => {
    const [before, after] = [from === 0 ? 0 : KEPT_CONTEXT, to === lines.length ? 0 : KEPT_CONTEXT];
    const folded = to - from - before - after;
    const fold = key(from);
    const isFolded = folded >= MIN_FOLDED && (from > 0 || to < lines.length) && !layout.opened.has(fold);
    for (let index = from; index < to; index += 1) {
      if (isFolded && index === from + before) {
        rows.push({ kind: 'fold', key: `${fold}f`, section, fold, lines: folded });
        index += folded - 1;
      } else rows.push(layout.mode === 'unified' ? line(index, false) : pair(index, index, false));
    }
  };
  const line = (index: number, startsChange: boolean): DiffRow => ({ kind: 'line', key: key(index), section, hunk, index, startsChange });
  const pair = (left: number | undefined, right: number | undefined, startsChange: boolean): DiffRow => ({
    ...{ kind: 'pair', key: key(left ?? right!), section, hunk },
    ...{ left, right, startsChange },
  });
  let from = 0;
  for (const { start, middle, end } of changeRuns(lines)) {
    if (start > from) context(from, start);
    if (layout.mode === 'unified') for (let index = start; index < end; index += 1) rows.push(line(index, index === start));
    else
      for (let row = 0; row < Math.max(middle - start, end - middle); row += 1)
        rows.push(pair(start + row < middle ? start + row : undefined, middle + row < end ? middle + row : undefined, row === 0));
    from = end;
  }
  if (from < lines.length) context(from, lines.length);
  return rows;
}

/** What a line is, for those who hear it: `line 12 removed`. */
export function spokenLine({ kind, old, now, noNewline }: DiffLine): string {
  const number = String(kind === 'removed' ? old : now);
  const what = kind === 'context' ? `line ${number}` : `line ${number} ${kind}`;
  return noNewline ? `${what}, without a newline at the end` : what;
}
