import { LIMITS, type Operand } from '@codelab/protocol';
import {
  canonicalJson,
  findArgumentFault,
  findTool,
  findWireTool,
  withoutAdditions,
  withoutNulls,
  type JsonObject,
  type ToolDefinition,
} from '@codelab/tools';
import { Mutex } from 'async-mutex';
import { join } from 'node:path';
import type { Ask } from './ask.js';
import { Attachments } from './attachments/attachments.js';
import { CodeIndex, type CodeIndexOptions } from './code-index/code-index.js';
import type { CallContext, CallPreview, Surroundings } from './executors/executor.js';
import { EXECUTORS, type AnyExecutor } from './executors/executors.js';
import type { OpenFiles } from './files/content/open-files.js';
import { WorkspaceFiles } from './files/workspace-files.js';
import { findWorkspaceRoot, type WorkspaceRoot } from './files/paths/workspace-root.js';
import { Backups } from './backups/backups.js';
import { MAX_PREVIEW_CHARACTERS } from './limits.js';
import { CellImages } from './kernel/cell-images.js';
import { Kernels, type KernelChoice } from './kernel/kernels.js';
import { CommandLogs } from './logs/command-logs.js';
import { removeLeftFolders } from './git/temporary-folder.js';
import { BackgroundProcesses } from './processes/background/background-processes.js';
import { Commands } from './processes/commands.js';
import type { Terminals } from './processes/terminals.js';
import { WorkspaceFactsReader } from './facts/workspace-facts.js';
import { canLast, LastingShells } from './processes/lasting/lasting-shells.js';
import { SessionMemory } from './processes/lasting/session-memory.js';
import { ShellReports } from './processes/shell/shell-report.js';
import { repairWorkspace, type RepairedCall } from './repair/repair-workspace.js';
import { toToolError, type ToolError } from './to-tool-error.js';
import { ToolFailure } from './tool-failure.js';
import { CommandWatch } from './undo/snapshots/command-watch.js';
import { Undo } from './undo/undo.js';
import { workspaceDataDir } from './workspace-identity.js';

/** What one call answers. */
export type ToolOutcome = { readonly ok: true; readonly result: JsonObject } | { readonly ok: false; readonly error: ToolError };

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly callId: string;
  readonly turnId?: string | undefined;
  /** A human, or a rule of one, decided on this very call. Without it only harmless commands run (H1). */
  readonly approved?: boolean | undefined;
  /** What the approver was shown, if there was one. Changed since: `APPROVAL_MISMATCH`, and nothing is done (H2). */
  readonly operands?: readonly Operand[] | undefined;
  /** The session that the call is of. */
  readonly sessionId?: string | undefined;
  /** The servers speak version 2.1: results have what it adds. */
  readonly additions?: boolean | undefined;
  readonly onOutput?: ((stream: 'stdout' | 'stderr', data: string) => void) | undefined;
}

interface WorkspaceOptions {
  readonly root: string;
  /** The client's own data: copies of old content. No tool reaches it. */
  readonly dataDir: string;
  /** The human; without one, `prompt_user` and `apply_patch_review` are `DENIED_BY_POLICY`. */
  readonly ask?: Ask | undefined;
  /** What an editor holds open. */
  readonly openFiles?: OpenFiles | undefined;
  /** Where commands that were decided on run for the user to see; without, in shells of ours. */
  readonly terminals?: Terminals | undefined;
  /** The kernel that cells run in; found where it is left out. */
  readonly kernel?: KernelChoice | undefined;
  /** How its code is indexed; without it there is no index. */
  readonly index?: CodeIndexOptions | undefined;
}

/** What a workspace has beside its folder. */
type WorkspaceParts = Omit<WorkspaceOptions, 'root' | 'dataDir'>;

interface Parts {
  readonly root: string;
  readonly files: WorkspaceFiles;
  readonly commands: Commands;
  readonly processes: BackgroundProcesses;
  readonly terminals: Terminals | undefined;
  readonly logs: CommandLogs;
  readonly reports: ShellReports;
  readonly shells: LastingShells;
  readonly kernels: Kernels;
  readonly images: CellImages;
  readonly tools: readonly string[];
  readonly backups: Backups;
  readonly watch: CommandWatch;
  readonly repaired: readonly RepairedCall[];
  readonly ask: Ask | undefined;
  readonly index: CodeIndex | undefined;
}

/** Room for the frame around a result. */
const FRAME_OVERHEAD_BYTES = 16 * 1024;

/** A folder of the user, and the tools that work in it and nowhere else (W1). */
export class Workspace {
  /** The canonical tools that it can run. */
  readonly tools: readonly string[];
  /** The canonical absolute path. */
  readonly root: string;
  /** Calls that a crash had cut in two, and that were put right when the workspace was opened. */
  readonly repaired: readonly RepairedCall[];
  private readonly files: WorkspaceFiles;
  private readonly commands: Commands;
  private readonly processes: BackgroundProcesses;
  private readonly terminals: Terminals | undefined;
  private readonly logs: CommandLogs;
  private readonly reports: ShellReports;
  private readonly shells: LastingShells;
  private readonly images: CellImages;
  /** The notebook kernels of its sessions. */
  readonly kernels: Kernels;
  /** The old content of what tools changed here. */
  readonly backups: Backups;
  private readonly watch: CommandWatch;
  /** Takes back what turns did to files. */
  readonly undo: Undo;
  /** The files that go with messages. */
  readonly attachments: Attachments;
  /** What a model should know before it looks. */
  readonly facts: WorkspaceFactsReader;
  /** The knowledge of its code, where it is kept. */
  readonly index: CodeIndex | undefined;
  private readonly ask: Ask | undefined;
  private readonly writing = new Mutex();

  private constructor(parts: Parts) {
    const { root, files, commands, processes, terminals, logs, reports, shells } = parts;
    const { kernels, images, tools, backups, watch, repaired, ask, index } = parts;
    this.index = index;
    this.root = root;
    this.repaired = repaired;
    this.files = files;
    this.commands = commands;
    this.processes = processes;
    this.terminals = terminals;
    this.logs = logs;
    this.reports = reports;
    this.shells = shells;
    this.kernels = kernels;
    this.images = images;
    this.tools = tools;
    this.backups = backups;
    this.watch = watch;
    this.attachments = new Attachments(files);
    const undo = (this.undo = new Undo({ files, backups, commands: watch }));
    this.facts = new WorkspaceFactsReader(files, root, () => undo.recent());
    this.ask = ask;
  }

  /** @see openWorkspace */
  static async open(
    root: WorkspaceRoot,
    dataDir: string,
    { ask, kernel, openFiles, terminals, index: indexing }: WorkspaceParts,
  ): Promise<Workspace> {
    const files = new WorkspaceFiles(root, openFiles);
    const directory = workspaceDataDir(dataDir, root.path);
    const backups = new Backups({ directory: join(directory, 'kept') });
    const watch = new CommandWatch({ root: root.path, dataDir, directory, backups });
    const commands = new Commands(root);
    const processes = new BackgroundProcesses(commands, join(directory, 'processes'));
    const logs = new CommandLogs(join(directory, 'logs'));
    const reports = new ShellReports(root.path, join(directory, 'shells'));
    const lasts = canLast(await commands.shell());
    const kernels = new Kernels(root.path, new SessionMemory(join(directory, 'kernels')), kernel);
    const images = new CellImages(join(directory, 'cells'));
    const [runsCells] = await Promise.all([kernels.isInstalled(), ...[removeLeftFolders(), logs.prune(), reports.prune(), images.prune()]]);
    const index = indexing && new CodeIndex({ root: root.path, dataDir, directory: join(directory, 'index') }, indexing);
    index?.start();
    const has = (tool: string): boolean =>
      tool.startsWith('shell.') ? lasts : tool.startsWith('kernel.') ? runsCells : tool.startsWith('index.') ? index !== undefined : true;
    return new Workspace({
      root: root.path,
      files,
      commands,
      processes,
      terminals,
      logs,
      reports,
      shells: new LastingShells(root.path, new SessionMemory(join(directory, 'lasting'))),
      kernels,
      images,
      tools: Object.keys(EXECUTORS).filter(has),
      backups,
      watch,
      repaired: await repairWorkspace(new WorkspaceFiles(root), backups),
      ask,
      index,
    });
  }

  /**
   * Runs a call. Never rejects: whatever happens is an answer. Tools that write run one after another, the others side by side.
   *
   * @param args as they came; checked against the tool's schema here again, since servers are not trusted
   */
  async run(toolName: string, args: JsonObject, options: RunOptions): Promise<ToolOutcome> {
    try {
      const { tool, executor } = this.find(toolName, args);
      const call = { turn_id: options.turnId ?? null, call_id: options.callId, tool_name: toolName };
      let written: readonly string[] | undefined; // all that a plan changes; without one, anything may be
      const context: CallContext = {
        ...this.surroundings(options.signal, options.sessionId ?? ''),
        approved: options.approved === true,
        callId: options.callId,
        operands: options.operands,
        onOutput: options.onOutput ?? (() => undefined),
        keep: (plan) => this.backups.begin(call, plan),
        trash: this.backups.trash,
        commit: (plan, links) => {
          written = plan.changes.map(({ path }) => path.text);
          const { signal, operands } = options;
          return this.files.commit(plan, {
            links,
            signal,
            operands,
            keep: (temporaries) => this.backups.begin(call, { changes: plan.changes, temporaries }),
          });
        },
      };
      const task = (later: (work: Promise<void>) => void): Promise<JsonObject> => {
        options.signal.throwIfAborted();
        const given = withoutNulls(args) as never; // the schema has checked them
        const run = (): Promise<JsonObject> => executor.run(given, context);
        const running = executor.watched?.(given) ? this.watch.watch(call, { signal: options.signal, later }, run) : run();
        return tool.access === 'write' ? running.finally(() => this.index?.touch(written)) : running;
      };
      const whole = await (tool.access === 'write' ? this.alone(task) : task((work) => void work));
      const result = options.additions === true ? whole : (withoutAdditions(findTool(toolName)!, whole) as JsonObject);
      assertFits(toolName, result);
      return { ok: true, result };
    } catch (error) {
      return { ok: false, error: toToolError(error, { signal: options.signal }) };
    }
  }

  /** Resolves when nothing is written any more, and of all that was stopped is kept what it did. */
  idle(): Promise<void> {
    return this.writing.waitForUnlock();
  }

  /** Lets nobody else write before the task is done, and whatever it leaves for later. */
  private async alone<T>(task: (later: (work: Promise<void>) => void) => Promise<T>): Promise<T> {
    const release = await this.writing.acquire();
    const left: Promise<void>[] = [];
    try {
      return await task((work) => left.push(work));
    } finally {
      void Promise.allSettled(left).then(release);
    }
  }

  /** What an approver is shown before the call runs. Never rejects: of a call that would fail, the failure is shown and is `fault`. */
  async preview(toolName: string, args: JsonObject, sessionId = ''): Promise<CallPreview & { readonly fault?: ToolError }> {
    try {
      const { executor } = this.find(toolName, args);
      const surroundings = this.surroundings(new AbortController().signal, sessionId);
      if (executor.preview !== undefined) return await executor.preview(withoutNulls(args) as never, surroundings); // as above
      return { preview: { kind: 'text', text: `${toolName} ${canonicalJson(args)}`.slice(0, MAX_PREVIEW_CHARACTERS) }, operands: [] };
    } catch (error) {
      const fault = toToolError(error);
      const text = `This call would fail. Error [${fault.code}]: ${fault.message}`;
      return { preview: { kind: 'text', text }, operands: [], fault };
    }
  }

  /**
   * Why a call that runs unasked by its arguments should be asked about after all, as a clause for people: what only this machine knows, such
   * as a setting of the repository, or where a link leads. `undefined` where there is nothing to ask about. Never rejects.
   *
   * @param byRule a rule allows it; without, it is harmless
   */
  async findDoubt(toolName: string, args: JsonObject, signal: AbortSignal, byRule = false): Promise<string | undefined> {
    const { command, cwd, action } = args;
    if (toolName !== 'run_command' && toolName !== 'run_persistent') return undefined;
    if (typeof command !== 'string' || (action ?? 'start') !== 'start') return undefined;
    const order = { command, cwd: typeof cwd === 'string' ? cwd : undefined, goesOn: toolName === 'run_persistent', signal, byRule };
    return this.commands.findDoubt(order);
  }

  private find(toolName: string, args: JsonObject): { readonly tool: ToolDefinition; readonly executor: AnyExecutor } {
    const tool = findWireTool(toolName);
    const executor = tool && EXECUTORS[tool.name];
    if (executor === undefined || tool === undefined)
      throw new ToolFailure('TOOL_NOT_FOUND', `This client has no tool ${toolName.slice(0, 64)}.`);
    const fault = findArgumentFault(tool, args);
    if (fault !== undefined) throw new ToolFailure('INVALID_ARGUMENTS', fault);
    return { tool, executor };
  }

  private surroundings(signal: AbortSignal, sessionId: string): Surroundings {
    const { root, files, commands, processes, terminals, logs, reports, shells, kernels, images, index, ask } = this;
    return { root, files, commands, processes, terminals, logs, reports, shells, kernels, images, index, sessionId, ask, signal };
  }
}

/** A result must fit its frame; JSON can make six bytes of one. */
const assertFits = (toolName: string, result: JsonObject): void => {
  const bytes = Buffer.byteLength(JSON.stringify(result));
  const limit = LIMITS.MAX_FRAME_BYTES - FRAME_OVERHEAD_BYTES;
  if (bytes > limit)
    throw new ToolFailure(
      'FILE_TOO_LARGE',
      `The result of ${toolName} has ${String(bytes)} bytes as JSON; at most ${String(limit)} fit a frame.`,
    );
};

/**
 * Opens a folder as a workspace, and puts right what a crash in the middle of a change left in it.
 *
 * @throws Error with a sentence for the user, if it is no folder, or lies in the data directory
 */
export async function openWorkspace({ root, dataDir, ...parts }: WorkspaceOptions): Promise<Workspace> {
  return Workspace.open(await findWorkspaceRoot(root, dataDir), dataDir, parts);
}
