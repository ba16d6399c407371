import type { ResultOf } from '@codelab/tools';

/** What git tells of the work tree, with paths from the top of the repository. */
type StatusReport = Omit<ResultOf<'git.status'>, 'clean' | 'truncated'>;

type StatusFile = StatusReport['files'][number];

const STATES: Readonly<Record<string, StatusFile['staged']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
  U: 'unmerged',
};

/** How many fields stand before the path, by the kind of entry. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10 };

const afterFields = (entry: string, count: number): string => {
  let at = -1;
  for (let field = 0; field < count; field += 1) at = entry.indexOf(' ', at + 1);
  return entry.slice(at + 1);
};

const parseFile = (entry: string, from: string | undefined): StatusFile => {
  if (entry.startsWith('? ')) return { path: entry.slice(2), staged: null, unstaged: 'untracked' };
  const path = afterFields(entry, FIELDS[entry[0]!]!);
  if (entry.startsWith('u ')) return { path, staged: 'unmerged', unstaged: 'unmerged' };
  const [staged, unstaged] = [STATES[entry[2]!] ?? null, STATES[entry[3]!] ?? null];
  // An entry that is only intended to be added stands in the index without content: for people it is not staged. In the work tree git finds no copies.
  return {
    path,
    staged,
    unstaged: staged === null && unstaged === 'added' ? 'untracked' : (unstaged as StatusFile['unstaged']),
    from,
  };
};

const parseHeader = (headers: ReadonlyMap<string, string>): Omit<StatusReport, 'files'> => {
  const [branch, head, upstream] = ['branch.head', 'branch.oid', 'branch.upstream'].map((name) => headers.get(name));
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  return {
    branch: branch === undefined || branch === '(detached)' ? null : branch,
    head: head === undefined || head === '(initial)' ? null : head,
    upstream,
    ahead: ahead === undefined ? undefined : Number(ahead),
    behind: behind === undefined ? undefined : Number(behind),
  };
};

/** Reads the answer of `git status --porcelain=v2 --branch -z`; a last entry that was cut off is left out. */
export function parseStatus(text: string): StatusReport {
  const headers = new Map<string, string>();
  const files: StatusFile[] = [];
  const entries = text.split('\0').slice(0, -1);
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index]!;
    const header = /^# (\S+) (.*)$/s.exec(entry);
    if (header !== null) headers.set(header[1]!, header[2]!);
    else if (entry.startsWith('2 ')) {
      index += 1; // the path before the rename is an entry of its own
      if (index < entries.length) files.push(parseFile(entry, entries[index]));
    } else if (/^[1u?] /.test(entry)) files.push(parseFile(entry, undefined));
  }
  return { ...parseHeader(headers), files };
}

/** A file with its paths from the workspace; nothing for one outside of it. */
export function belowPrefix(file: StatusFile, prefix: string): StatusFile | undefined {
  if (!file.path.startsWith(prefix)) return undefined;
  const { path, staged, unstaged, from } = file;
  return { path: path.slice(prefix.length), staged, unstaged, from: from?.startsWith(prefix) ? from.slice(prefix.length) : undefined };
}
