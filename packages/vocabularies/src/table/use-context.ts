import type { ToWorkspacePath } from './paths.js';

/** What is remembered of a file that the model has read. */
export interface ReadMark {
  readonly sha256: string;
  /** All lines of it were read. */
  readonly whole: boolean;
  /** It was cut though no range was asked for: enough for an edit, not for a rewrite. */
  readonly cut: boolean;
  /** Items of the history when it was read, set by who keeps the marks: what is shown no more, was not read. */
  readonly at?: number;
}

/** One entry of the task list. */
export interface Todo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  readonly activeForm?: string;
}

/** What uses of a session know of those before them; part of the session's state, so it outlives every process. */
export interface Marks {
  /** By path, relative to the workspace. The least recently read go first above 128. */
  readonly reads: Readonly<Record<string, ReadMark>>;
  /** How far the output of a background process was read, in bytes. */
  readonly cursors: Readonly<Record<string, number>>;
  /** Where commands run, relative to the workspace; '' for its root. */
  readonly cwd: string;
  /** Background processes that were started, for their names: `bash_{n}`. */
  readonly started: number;
  readonly todos: readonly Todo[];
}

/** Changes of the marks: entries of the records are set, or removed by `null`; other fields are replaced. */
export interface MarksChange {
  readonly reads?: Readonly<Record<string, ReadMark | null>>;
  readonly cursors?: Readonly<Record<string, number | null>>;
  readonly cwd?: string;
  readonly started?: number;
  readonly todos?: readonly Todo[];
}

export const NO_MARKS: Marks = { reads: {}, cursors: {}, cwd: '', started: 0, todos: [] };

/** What a row may look at beside its arguments and outcomes. */
export interface UseContext {
  readonly marks: Marks;
  /** The agent that the turn runs as. */
  readonly agent: string;
  /** Agents that a `Task` can name, the user's own too. */
  readonly agents: readonly string[];
  /** Whether the executor has a canonical tool or a capability (`process.output`, `x1` … `x5`). */
  readonly has: (name: string) => boolean;
  /** Where the workspace is, as the model is shown it. */
  readonly root: string;
  /** A path of a model → the canonical one, or why not. */
  readonly toPath: ToWorkspacePath;
  /** A canonical path as an absolute one under the shown root. */
  readonly toAbsolute: (path: string) => string;
  /** Characters of a view in `text-editor`. */
  readonly maxCharacters: number;
}
