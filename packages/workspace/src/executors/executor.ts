import type { Operand, Preview } from '@codelab/protocol';
import type { ArgumentsOf, CanonicalTool, ResultOf } from '@codelab/tools';
import type { Ask } from '../ask.js';
import type { CodeIndex } from '../code-index/code-index.js';
import type { CommitOptions, CommitRecord } from '../files/content/commit-changes.js';
import type { FilePlan } from '../files/content/file-change.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import type { BackgroundProcesses } from '../processes/background/background-processes.js';
import type { BackupPlan } from '../backups/backups.js';
import type { Trash } from '../backups/trash.js';
import type { CellImages } from '../kernel/cell-images.js';
import type { Kernels } from '../kernel/kernels.js';
import type { CommandLogs } from '../logs/command-logs.js';
import type { Commands } from '../processes/commands.js';
import type { Terminals } from '../processes/terminals.js';
import type { LastingShells } from '../processes/lasting/lasting-shells.js';
import type { ShellReports } from '../processes/shell/shell-report.js';

/** What a tool sees of the workspace, with or without a call. */
export interface Surroundings {
  /** The canonical path of the workspace, for programs that run in it; files go through `files`. */
  readonly root: string;
  readonly files: WorkspaceFiles;
  readonly commands: Commands;
  readonly processes: BackgroundProcesses;
  /** Where commands that were decided on run for all to see. */
  readonly terminals: Terminals | undefined;
  /** The whole output of long commands. */
  readonly logs: CommandLogs;
  readonly reports: ShellReports;
  readonly shells: LastingShells;
  readonly kernels: Kernels;
  /** Images that cells show, for people. */
  readonly images: CellImages;
  /** The knowledge of the code, where it is kept. */
  readonly index: CodeIndex | undefined;
  /** The session that the call is of; '' where it is not known. */
  readonly sessionId: string;
  readonly ask: Ask | undefined;
  readonly signal: AbortSignal;
}

/** What a tool sees of the call that it answers. */
export interface CallContext extends Surroundings {
  readonly callId: string;
  /** A human, or a rule of one, decided on this very call. */
  readonly approved: boolean;
  /** The files that the decision is bound to, as they were then. */
  readonly operands: readonly Operand[] | undefined;
  /** Carries out a plan: checks the operands of the approval, keeps the old content, then changes files, all or nothing. */
  readonly commit: (plan: FilePlan, links: CommitOptions['links']) => Promise<void>;
  /** Notes what the call is about to do to names, durably, so that it can be put right after a crash, and undone. */
  readonly keep: (plan: BackupPlan) => Promise<CommitRecord>;
  /** Where deleted entries go. */
  readonly trash: Trash;
  /** Output of a long call while it runs. */
  readonly onOutput: (stream: 'stdout' | 'stderr', data: string) => void;
}

/** What an approver is shown, and the files that the decision is bound to. */
export interface CallPreview {
  readonly preview: Preview;
  readonly operands: readonly Operand[];
}

/**
 * How one tool is carried out. Arguments have passed the tool's schema. A failure is thrown as `ToolFailure`, or as what the system says.
 * A tool that waits or loops heeds the signal until its effect begins, and then finishes.
 */
export interface Executor<Tool extends CanonicalTool> {
  run(args: ArgumentsOf<Tool>, context: CallContext): Promise<ResultOf<Tool>>;
  /** The call may change files in ways that it does not tell itself, so that the work tree is compared before and after. */
  watched?(args: ArgumentsOf<Tool>): boolean;
  /** Does nothing but look. Without it, the arguments themselves are shown. */
  preview?(args: ArgumentsOf<Tool>, surroundings: Surroundings): Promise<CallPreview>;
}
