import type { InstructionFile, UndoneFiles, WorkspaceEnvironment } from '@codelab/protocol';
import type { UserAgent } from './user-agent.js';

/** A file that says how to work in a workspace, and when a model is told of it. It is of lower trust than a person's words: nothing is decided by it. */
export interface Instruction extends Pick<InstructionFile, 'path' | 'scope' | 'bytes' | 'omitted'> {
  /** Tells it from every other one. */
  readonly key: string;
  /** Changes with its text: a few hex digits. */
  readonly digest: string;
  /** `always`: from the beginning. `by_file`: once a file is worked on that it is about. `on_request`: its name alone, until somebody asks. */
  readonly use: 'always' | 'by_file' | 'on_request';
  /** What it is called, and when it is of use. */
  readonly name: string;
  readonly description?: string;
  /** The text without front matter; '' where the file came without. */
  readonly text: string;
  /** What it is about: files below a directory, files that a glob matches, files with a text that an expression finds. All that are given must fit. */
  readonly directory?: string;
  readonly globs?: readonly string[];
  readonly regex?: readonly string[];
}

/** What an executor says of its workspace, read. */
export interface WorkspaceKnowledge {
  readonly environment?: WorkspaceEnvironment;
  /** The most general first. */
  readonly instructions: readonly Instruction[];
  readonly agents: readonly UserAgent[];
  /** What its human undid, the latest last. */
  readonly undone?: readonly UndoneFiles[];
}

/** Nothing is known. */
export const NO_KNOWLEDGE: WorkspaceKnowledge = { instructions: [], agents: [] };
