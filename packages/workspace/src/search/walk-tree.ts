import { setImmediate } from 'node:timers/promises';
import { LIMITS } from '@codelab/protocol';
import type { TreeDirectory, TreeEntry } from '../files/tree/tree-directory.js';
import { isTemporaryName } from '../files/content/write-atomically.js';
import { MAX_IGNORE_FILE_BYTES } from '../limits.js';
import { isIgnored, readIgnoreRules, type IgnoreRules } from './ignore-rules.js';

/** An entry that a walk has come to. */
export interface WalkedEntry extends TreeEntry {
  /** Relative to the workspace. */
  readonly path: string;
  readonly directory: TreeDirectory;
}

interface WalkOptions {
  /** Path of the directory that is walked; empty for the workspace. */
  readonly path: string;
  readonly recursive: boolean;
  /** Levels that are walked at most, if it is recursive; 1 is the directory itself. */
  readonly depth?: number | undefined;
  /** Also `.git` and temporary files. */
  readonly everything?: boolean;
  /** Rules of the directories above it; left out, no rules are read at all. */
  readonly rules: { readonly above: IgnoreRules | undefined } | undefined;
  /** Whether an entry that is no directory is wanted; those that aren't cost no memory. */
  readonly wants: (entry: { readonly path: string; readonly name: string; readonly kind: TreeEntry['kind'] }) => boolean;
  /** How many more of them can be taken. */
  readonly room: () => number;
  readonly signal: AbortSignal;
}

interface Frame {
  readonly directory: TreeDirectory;
  readonly prefix: string;
  readonly rules: IgnoreRules | undefined;
  readonly entries: readonly TreeEntry[];
  next: number;
}

/** How long others wait for the walk, in milliseconds. */
const SLICE_MS = 10;
/** Steps between two looks at the clock. */
const STEPS = 64;

const byName = (one: TreeEntry, other: TreeEntry): number => (one.name < other.name ? -1 : 1);

/**
 * Walks a tree in the order of its paths, segment by segment, without following links. `.git` and the temporary files of tools are left
 * out, and so is what ignore rules name, and what has a longer path than any tool takes. Memory is bounded by the directories on the way
 * and by what is wanted, not by the size of the tree; others get their turn every few milliseconds.
 */
export class TreeWalk {
  /** Something was left out because its path is too long. */
  tooDeep = false;
  private steps = 0;
  private since = performance.now();

  constructor(
    private readonly top: TreeDirectory,
    private readonly options: WalkOptions,
  ) {}

  async *entries(): AsyncGenerator<WalkedEntry> {
    const { path, recursive, depth = Infinity, rules } = this.options;
    const stack: Frame[] = [await this.read(this.top, path === '' ? '' : `${path}/`, rules?.above)];
    try {
      for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
        const entry = frame.entries[frame.next++];
        if (entry === undefined) {
          stack.pop();
          if (frame.directory !== this.top) frame.directory.close();
          continue;
        }
        if (this.isDue()) await this.breathe();
        yield { ...entry, path: frame.prefix + entry.name, directory: frame.directory };
        if (entry.kind !== 'directory' || !recursive || stack.length >= depth) continue;
        const child = frame.directory.openChild(entry.name);
        if (child !== undefined) stack.push(await this.read(child, `${frame.prefix}${entry.name}/`, frame.rules));
      }
    } finally {
      for (const { directory } of stack) if (directory !== this.top) directory.close();
    }
  }

  private async read(directory: TreeDirectory, prefix: string, above: IgnoreRules | undefined): Promise<Frame> {
    const rules = this.options.rules && readRulesOf(directory, prefix.slice(0, -1), above);
    const directories: TreeEntry[] = [];
    let others: TreeEntry[] = [];
    for (const entry of directory.entries()) {
      if (this.isDue()) await this.breathe();
      const { name, kind } = entry;
      const path = prefix + name;
      const ours = name === '.git' || isTemporaryName(name);
      if ((ours && this.options.everything !== true) || isIgnored(rules, path, name, kind === 'directory')) continue;
      if (path.length > LIMITS.MAX_PATH_CHARACTERS && [...path].length > LIMITS.MAX_PATH_CHARACTERS) this.tooDeep = true;
      else if (kind === 'directory') directories.push(entry);
      else if (this.options.wants({ path, name, kind })) {
        others.push(entry);
        const room = this.options.room();
        if (others.length > 2 * room + 1_024) others = others.sort(byName).slice(0, room);
      }
    }
    const entries = directory.isInPlace() ? [...directories, ...others].sort(byName) : [];
    return { directory, prefix, rules, entries, next: 0 };
  }

  private isDue(): boolean {
    this.steps += 1;
    return this.steps % STEPS === 0 && performance.now() - this.since >= SLICE_MS;
  }

  private async breathe(): Promise<void> {
    await setImmediate();
    this.options.signal.throwIfAborted();
    this.since = performance.now();
  }
}

/** The rules that hold in a directory: its own `.gitignore`, then those above; at the top of a work tree `.git/info/exclude` is the last. */
export function readRulesOf(directory: TreeDirectory, path: string, above: IgnoreRules | undefined): IgnoreRules | undefined {
  const read = (from: TreeDirectory, name: string, last: IgnoreRules | undefined): IgnoreRules | undefined => {
    const text = from.readFile(name, MAX_IGNORE_FILE_BYTES);
    return text === undefined ? last : readIgnoreRules(text.toString('utf8'), path, last);
  };
  const git = path === '' ? directory.openChild('.git') : undefined;
  const info = git?.openChild('info');
  const last = info === undefined ? above : read(info, 'exclude', above);
  info?.close();
  git?.close();
  return read(directory, '.gitignore', last);
}
