import { defineClientFrame } from '../define-frame.js';
import { Choice, Digest, Integer, Nested, NestedList, Text, TextList } from '../fields.js';
import { LIMITS } from '../limits.js';

/** Where the tools run, as the client found it. All of it is for the model to read; nothing here decides anything. */
export class WorkspaceEnvironment {
  @Text('The operating system and its version.', { optional: true, max: 128 }) os?: string;
  @Text('The shell that commands run in.', { optional: true, max: 128 }) shell?: string;
  @Text('The absolute path of the workspace.', { optional: true, max: 4_096 }) root?: string;
  @Text('The branch that is checked out.', { optional: true, max: 255 }) branch?: string;
  @Text('What git says of the work tree, a line for each file.', { optional: true, max: 4_000 }) git_status?: string;
  @Text('The last commits, one in a line.', { optional: true, max: 2_000 }) commits?: string;
  @Text('The top of the file tree, one path in a line; directories end in a slash.', { optional: true, max: 4_000 }) tree?: string;
  @Text('The package manager, or the build tool.', { optional: true, max: 64 }) package_manager?: string;
  @Text('The command that runs the tests.', { optional: true, max: 512 }) test_command?: string;
}

/** Why a file comes without its text, or without a part of it. */
export const OMISSIONS = ['cut', 'binary', 'too_large', 'no_room', 'unreadable'] as const;
export type Omission = (typeof OMISSIONS)[number];

/** A file that says something about how to work here: instructions, a rule, an agent. */
export class InstructionFile {
  @Text('Its path: in the workspace, or for `user` in the configuration directory of the person.', {
    min: 1,
    max: LIMITS.MAX_PATH_CHARACTERS,
  })
  path!: string;
  @Choice('Whose it is.', ['workspace', 'user']) scope!: 'workspace' | 'user';
  @Digest('SHA-256 of the whole file; absent if it could not be read.', { optional: true }) sha256?: string;
  @Integer('Bytes of the whole file.') bytes!: number;
  @Text('The text; its beginning where it was cut.', { optional: true, max: LIMITS.MAX_INSTRUCTION_BYTES }) content?: string;
  @Choice('What of it is missing, and why; absent: nothing is.', OMISSIONS, { optional: true }) omitted?: Omission;
}

/** Files that their human put back to what they were before a turn, or before such an undoing. */
export class UndoneFiles {
  @Text('Tells this undoing from every other one.', { min: 1, max: 64 }) undo_id!: string;
  @TextList('Paths in the workspace.', { maxItems: LIMITS.MAX_UNDONE_PATHS }) paths!: string[];
  @Integer('Files beside these.', { optional: true }) more?: number;
}

/** What the model should know of the workspace. Each one stands in the place of the one before. */
export class WorkspaceFacts {
  @Nested('Where the tools run.', WorkspaceEnvironment, { optional: true }) environment?: WorkspaceEnvironment;
  @NestedList('Instructions, rules and agents, the most general first; with the environment at most 192 KB as JSON.', InstructionFile, {
    optional: true,
    maxItems: LIMITS.MAX_INSTRUCTION_FILES,
  })
  files?: InstructionFile[];
  @NestedList(
    'What was undone here, the latest last: what a session has not been told yet its model is told with the next message.',
    UndoneFiles,
    {
      optional: true,
      maxItems: LIMITS.MAX_UNDOINGS,
    },
  )
  undone?: UndoneFiles[];
}

export const workspaceFacts = defineClientFrame({
  type: 'workspace_facts',
  body: WorkspaceFacts,
  summary: 'The environment and the project instructions, from the executor of the session. For the model; nothing is decided by it.',
});
