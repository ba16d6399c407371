import { hash } from 'node:crypto';
import { type Instruction, NO_KNOWLEDGE, type WorkspaceKnowledge } from '@codelab/tools';
import { lastingFacts } from './render-environment.js';
import { familyOf, type ModelFamily, PROMPT_VERSION } from './texts.js';

/** What a session began with, which its system prompt says for good, and what holds now. */
export interface KnownWorkspace {
  readonly first: WorkspaceKnowledge;
  readonly latest: WorkspaceKnowledge;
}

/** Nobody has said anything of the workspace. */
export const NOTHING_KNOWN: KnownWorkspace = { first: NO_KNOWLEDGE, latest: NO_KNOWLEDGE };

/**
 * What the model of a session has been told. The system prompt follows from the first four and what the session began with, so it stays
 * the same while the session lives; everything that changes goes into a note at the end of the history, once.
 */
export interface Told {
  /** Of the texts, when the session began. */
  readonly version: number;
  readonly family: ModelFamily;
  /** The day on which it began, `YYYY-MM-DD` in UTC. */
  readonly date: string;
  /** What `hello.workspace` said then. */
  readonly place: string;
  /** The agent that it was told to be last; absent in what older releases stored. */
  readonly agent?: string;
  /** The day that was told last. */
  readonly today: string;
  /** Digest of the lasting facts of the environment that were told last. */
  readonly environment: string;
  /** Digests of the instructions that were told, by their keys. */
  readonly files: Readonly<Record<string, string>>;
  /** What was undone in which workspace, as far as that was told or was before the session; absent in what older releases stored. */
  readonly undone?: { readonly workspace: string; readonly ids: readonly string[] };
}

const DIGEST_DIGITS = 8;

/** Tells lasting facts of an environment from others. */
export const digestOf = (environment: WorkspaceKnowledge['environment'], place: string): string =>
  hash('sha256', lastingFacts(environment, place).join('\n')).slice(0, DIGEST_DIGITS);

export const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

const filesOf = (instructions: readonly Instruction[]): Told['files'] =>
  Object.fromEntries(instructions.filter(({ use }) => use !== 'by_file').map(({ key, digest }) => [key, digest]));

/** What the system prompt of a session tells. */
export const beginTold = (
  { first }: KnownWorkspace,
  begun: { readonly place: string; readonly workspace: string; readonly nowMs: number; readonly model: string; readonly agent: string },
): Told => {
  const date = dayOf(begun.nowMs);
  const { place, agent } = begun;
  return {
    ...{ version: PROMPT_VERSION, family: familyOf(begun.model), date, today: date, place, agent },
    environment: digestOf(first.environment, place),
    files: filesOf(first.instructions),
    undone: { workspace: begun.workspace, ids: undoingsOf(first) },
  };
};

/** Names of what was undone. */
export const undoingsOf = ({ undone = [] }: WorkspaceKnowledge): readonly string[] => undone.map(({ undo_id }) => undo_id);

/** What is left of it where the history has lost its notes: what the system prompt says. The rest is told again. */
export const untold = (told: Told, { first }: KnownWorkspace): Told => ({
  ...told,
  today: told.date,
  environment: digestOf(first.environment, told.place),
  files: filesOf(first.instructions),
});
