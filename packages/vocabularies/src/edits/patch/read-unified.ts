import { type PatchHunk, type PatchOperation, PatchRefused } from './patch-parts.js';
import { readHunks } from './read-hunks.js';

/** Reads a unified diff, with `diff --git` lines or without, with `a/` and `b/` or without. */
export function readUnified(lines: readonly string[]): PatchOperation[] {
  const startsFile = (row: number): boolean =>
    lines[row]!.startsWith('diff --git ') || (/^--- \S/.test(lines[row]!) && /^\+\+\+ \S/.test(lines[row + 1] ?? ''));
  const isBoundary = (row: number): boolean =>
    startsFile(row) || /^(?:```|~~~)\s*$/.test(lines[row]!) || (/^-- ?\r?$/.test(lines[row]!) && /^\d+\.\d+/.test(lines[row + 1] ?? ''));
  const operations: PatchOperation[] = [];
  let row = 0;
  while (row < lines.length) {
    if (!startsFile(row)) {
      if (/^@@ /.test(lines[row]!) || lines[row]!.trimEnd() === '@@')
        throw new PatchRefused(`the hunk in line ${String(row + 1)} belongs to no file: "---" and "+++" lines must name it`);
      row += 1;
      continue;
    }
    const header = readHeader(lines, row);
    const { hunks, next } = readHunks(lines, header.next, isBoundary);
    operations.push(toOperation(header, hunks));
    row = next;
  }
  return operations;
}

interface Header {
  /** Absent: /dev/null. */
  readonly old: string | undefined;
  readonly now: string | undefined;
  readonly isRename: boolean;
  readonly next: number;
}

function readHeader(lines: readonly string[], from: number): Header {
  let row = from;
  let git: readonly [string, string] | undefined;
  let [old, now]: (string | null | undefined)[] = [];
  const said = new Map<string, string>();
  if (lines[row]!.startsWith('diff --git ')) {
    git = gitNames(lines[row]!.slice('diff --git '.length).trim());
    row += 1;
  }
  for (; row < lines.length && !lines[row]!.startsWith('@@'); row++) {
    const line = lines[row]!;
    const extended =
      /^(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|(?:dis)?similarity index|index) (.*?)\r?$/.exec(
        line,
      );
    if (extended !== null) said.set(extended[1]!, extended[2]!);
    else if (old === undefined && /^--- \S/.test(line) && /^\+\+\+ \S/.test(lines[row + 1] ?? '')) old = nameIn(line);
    else if (old !== undefined && now === undefined && /^\+\+\+ \S/.test(line)) now = nameIn(line);
    else if (/^(?:Binary files|GIT binary patch)/.test(line)) throw new PatchRefused('binary files cannot be patched');
    else break;
  }
  if (said.has('copy from')) throw new PatchRefused('copies are written with another tool');
  if (said.has('rename from')) return { old: said.get('rename from'), now: said.get('rename to'), isRename: true, next: row };
  if (old === undefined || now === undefined) {
    if (git === undefined) throw new PatchRefused(`line ${String(from + 1)} does not say which file it is about`);
    const [one, other] = stripped(git[0], git[1]);
    return {
      old: said.has('new file mode') ? undefined : one,
      now: said.has('deleted file mode') ? undefined : other,
      isRename: false,
      next: row,
    };
  }
  const [one, other] = stripped(old, now);
  return { old: one, now: other, isRename: false, next: row };
}

/** A name, up to a tab or a date; `null` for /dev/null. */
function nameIn(line: string): string | null {
  const name = line
    .slice(4)
    .split('\t')[0]!
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return name === '/dev/null' ? null : name;
}

const gitNames = (text: string): readonly [string, string] | undefined => {
  const middle = (text.length - 1) / 2;
  const halves = [text.slice(0, middle), text.slice(middle + 1)] as const;
  if (Number.isInteger(middle) && halves[0].slice(1) === halves[1].slice(1)) return halves;
  const parts = text.split(' ');
  return parts.length === 2 ? [parts[0]!, parts[1]!] : undefined;
};

function stripped(old: string | null, now: string | null): readonly [string | undefined, string | undefined] {
  const [one, other] = [old ?? undefined, now ?? undefined];
  const hasPrefix = (name: string | undefined, prefix: string): boolean => name === undefined || name.startsWith(prefix);
  const cut = (name: string | undefined): string | undefined => name?.slice(2);
  if (hasPrefix(one, 'a/') && hasPrefix(other, 'b/')) return [cut(one), cut(other)];
  if (one !== undefined && one.startsWith('a/') && one.slice(2) === other) return [other, other];
  if (other !== undefined && other.startsWith('b/') && other.slice(2) === one) return [one, one];
  return [one, other];
}

function toOperation({ old, now, isRename }: Header, hunks: readonly PatchHunk[]): PatchOperation {
  if (old === undefined && now === undefined) throw new PatchRefused('a part of it names no file');
  if (old === undefined) return { kind: 'add', path: now!, lines: hunks.flatMap(({ lines }) => lines.filter(({ sign }) => sign === '+')) };
  if (now === undefined) return { kind: 'delete', path: old, hunks };
  if (isRename) return { kind: 'move', path: old, to: now, hunks };
  if (old !== now) throw new PatchRefused(`its "---" line names ${old}, its "+++" line ${now}; a move has "rename from" and "rename to"`);
  return { kind: 'update', path: now, hunks };
}
