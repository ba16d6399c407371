import type { CodeIndexOptions } from '@codelab/workspace';
import { randomUUID } from 'node:crypto';
import { RefusedError } from '@codelab/client';
import type { CodeLabClient, ConnectionState } from '@codelab/client';
import type { ServerFrame, ServerFrameOf } from '@codelab/protocol';
import type { ApproveMode } from '../../core/approval/answer-headless.js';
import { CommandError } from '../../core/command-error.js';
import { EXEC_EXIT, exitCodeOf } from '../../core/exec/exec-output.js';
import { traceLine } from '../../core/exec/exec-output.js';
import type { ChosenWorkspace } from '../session/choose-workspace.js';
import type { Gateway } from '../session/gateway.js';
import { connectSession } from '../session/connect-session.js';
import { localExecutor } from '../session/local-executor.js';
import { mcpPlaceOf } from '../mcp/mcp-place.js';
import { openBeside, type McpBeside } from '../mcp/mcp-beside.js';
import { MessageFiles } from '../session/message-files.js';
import { ExecConsole } from './exec-console.js';
import type { ExecIo, ExecOptions } from './exec-io.js';

type Settings = ExecOptions & { readonly approve: ApproveMode; readonly prompt: string };
type Ended = ServerFrameOf<'turn_ended'> | 'abandoned' | CommandError;

interface Place {
  readonly gateway: Gateway;
  readonly workspace: ChosenWorkspace;
  readonly dataDir: string;
  readonly configDir?: string;
  readonly index?: CodeIndexOptions | undefined;
}

/** How long a cancelled turn may take to say so. */
const CANCEL_MS = 5_000;

/** One turn of `codelab exec`: sends the prompt, answers what is asked, knows how the turn ended. */
export class ExecRun {
  private readonly startedAtMs = performance.now();
  private readonly console: ExecConsole;
  private readonly messageId = randomUUID();
  private client: CodeLabClient | undefined;
  private mcp: McpBeside | undefined;
  private turnId: string | undefined;
  private interrupts = 0;
  private settle: (outcome: Ended) => void = () => undefined;
  private readonly ended = new Promise<Ended>((resolve) => (this.settle = resolve));
  private cancelTimer: NodeJS.Timeout | undefined;
  private readonly left = new AbortController();

  constructor(
    private readonly settings: Settings,
    private readonly place: Place,
    private readonly io: ExecIo,
  ) {
    this.console = new ExecConsole(settings, io, { interrupt: () => void this.interrupt(), end: () => this.settle('abandoned') });
  }

  /** Returns the exit code. Throws `CommandError` when there was no turn to end. */
  async run(): Promise<number> {
    const release = this.io.onInterrupt(() => void this.interrupt());
    this.console.start();
    try {
      this.begin().catch((error: unknown) => this.settle(error instanceof CommandError ? error : toCommandError(error)));
      const outcome = await this.ended;
      this.console.close();
      if (outcome instanceof CommandError) throw outcome;
      if (outcome === 'abandoned') return EXEC_EXIT.cancelled;
      this.console.printAnswer();
      return exitCodeOf(outcome.status, this.console.lackedHuman);
    } finally {
      release();
      this.left.abort();
      clearTimeout(this.cancelTimer);
      this.console.close();
      await this.client?.close();
      await this.mcp?.close();
    }
  }

  private async begin(): Promise<void> {
    const { settings, place } = this;
    const { human } = this.console;
    const { executor, workspace } = await localExecutor({
      root: place.workspace.identity.root,
      dataDir: place.dataDir,
      configDir: place.configDir,
      index: place.index,
      ask: human,
      tell: (event) => this.console.tell(event),
    });
    this.mcp = await openBeside({
      ...{ place: mcpPlaceOf(place), workspace: executor, human: this.console.filler },
      tell: (event) => this.console.tell(event),
      say: (text) => this.console.trace(text),
    });
    const { mcp } = this;
    if (this.left.signal.aborted) return mcp.close(); // nobody waits for the turn any more
    const attachments = await new MessageFiles(workspace.attachments, new Set(), (content) => mcp.attachments(content)).ofCommand(
      settings.attach ?? [],
      settings.prompt,
      settings.attachSecrets === true,
    );
    this.client = await connectSession({
      ...place,
      sessionId: settings.session ?? 'new',
      isConversation: false,
      choices: settings,
      executor: mcp.executor,
      approve: human.approve,
      onFrame: (frame, text) => this.take(frame, text),
      onState: (state) => this.follow(state),
      tell: (event) => this.console.tell(event),
      signal: this.left.signal,
    });
    const accepted = await this.client.sendMessage(settings.prompt, { messageId: this.messageId, attachments, model: settings.model });
    this.turnId = accepted.turn_id;
  }

  private take(frame: ServerFrame, text: string): void {
    if (this.settings.trace) this.console.trace(traceLine(frame, performance.now() - this.startedAtMs, Buffer.byteLength(text)));
    this.console.take(frame, text);
    if (frame.type === 'turn_ended' && frame.message_ids.includes(this.messageId)) this.settle(frame);
  }

  private follow(state: ConnectionState): void {
    if (state.kind === 'closed' && state.reason.kind !== 'closed') this.settle(new CommandError(state.reason.message));
    if (state.kind === 'reconnecting') this.console.tell({ kind: 'link', link: 'lost', atMs: Date.now() });
    if (state.kind === 'live') this.console.tell({ kind: 'link', link: 'open', atMs: Date.now() });
  }

  /** The first Ctrl-C stops the turn; one before there is a turn, or a second one, gives up waiting. */
  private async interrupt(): Promise<void> {
    this.interrupts += 1;
    if (this.interrupts > 1 || this.turnId === undefined) return this.settle('abandoned');
    this.console.tell({ kind: 'cancel_sent', atMs: Date.now() });
    this.cancelTimer = setTimeout(() => this.settle('abandoned'), CANCEL_MS);
    await this.client?.cancel(this.turnId).catch(() => undefined); // it had ended: the frame that says so settles the run
  }
}

function toCommandError(error: unknown): CommandError {
  if (error instanceof RefusedError) return new CommandError(`The gateway refused the prompt: ${error.message}`, 1, { cause: error });
  return new CommandError(error instanceof Error ? error.message : String(error), 1, { cause: error });
}
