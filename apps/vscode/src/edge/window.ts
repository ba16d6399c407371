import * as vscode from 'vscode';
import { composeExecutors, rememberSession, type ToolExecutor } from '@codelab/client';
import { EMPTY_VIEW, type SessionView } from '@codelab/client/view';
import { PlaceError, type Place } from '../core/place/place.js';
import { Conversation, type Beginning } from '../core/session/conversation.js';
import { HumanHere } from '../core/session/human.js';
import { modeOf } from '../core/session/permission-mode.js';
import { tellRun } from '../core/session/tell-run.js';
import type { NoSession } from '../core/text/status-text.js';
import { dataDirectory } from './config.js';
import { hostToolExecutor } from '../core/tools/host-tools.js';
import { ProcessTerminals } from './editor/process-terminals.js';
import { vscodeTools } from './editor/vscode-tools.js';
import { openFolder, type OpenFolder } from './open-folder.js';
import { choosePlace } from './place/choose-place.js';

/** What is joined: the place, the folder and the conversation. */
export interface Joined {
  readonly place: Place;
  readonly folder: OpenFolder;
  readonly conversation: Conversation;
}

const LAST_SESSION = 'session:';
const CHOSEN_FOLDER = 'folder';

/** The session of this window: one at a time, remembered over reloads. */
export class CodeLabWindow implements vscode.Disposable {
  readonly terminals = new ProcessTerminals();
  readonly human = new HumanHere(() => this.runningCall);
  private readonly listeners = new Set<() => void>();
  private joined: Joined | undefined;
  private joining: Promise<Joined> | undefined;
  private trouble: NoSession = { why: 'closed' };
  private runningCall = '';
  private closed = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.human.subscribe(() => this.tell());
  }

  get version(): string {
    return (this.context.extension.packageJSON as { readonly version: string }).version;
  }

  get dataDir(): string {
    return dataDirectory(vscode.workspace.getConfiguration('codelab').get('dataDirectory', ''));
  }

  /** What is joined now. */
  get current(): Joined | undefined {
    return this.joined;
  }

  readonly view = (): SessionView => this.joined?.conversation.view() ?? EMPTY_VIEW;

  /** Why nothing is joined. */
  get noSession(): NoSession {
    return this.trouble;
  }

  /** Hears of each change of the view, of questions and of troubles. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Whether a conversation was open here when the window was left. */
  remembers(): boolean {
    return this.context.workspaceState.keys().some((key) => key.startsWith(LAST_SESSION));
  }

  /** What is joined; else the conversation that was open here last is, else a new one. Rejects with an `Error` for people. */
  join(): Promise<Joined> {
    if (this.joined !== undefined) return Promise.resolve(this.joined);
    this.joining ??= this.begin().finally(() => (this.joining = undefined));
    return this.joining;
  }

  /** Leaves the conversation and joins another; `new`: a fresh one. */
  async switchTo(sessionId: string): Promise<Joined> {
    await this.joining?.catch(() => undefined); // its trouble is shown
    const before = this.joined;
    this.joined = undefined;
    await before?.conversation.close();
    this.joining ??= this.begin(sessionId, before).finally(() => (this.joining = undefined));
    return this.joining;
  }

  /** Works in another folder of the window from now on. */
  async useFolder(folder: vscode.WorkspaceFolder): Promise<void> {
    await this.context.workspaceState.update(CHOSEN_FOLDER, folder.uri.toString());
    await this.leave();
    await this.join();
  }

  /** Leaves the place, too: the settings name another one. */
  async leave(): Promise<void> {
    await this.joining?.catch(() => undefined); // its trouble is shown
    const before = this.joined;
    this.joined = undefined;
    await before?.conversation.close();
    before?.place.stop();
    this.fail({ why: 'closed' });
  }

  async dispose(): Promise<void> {
    this.closed = true;
    await this.leave();
  }

  private async begin(sessionId?: string, before?: Joined): Promise<Joined> {
    this.fail({ why: 'connecting' });
    let place = before?.place;
    try {
      const folder = before?.folder ?? (await this.openFolder());
      place ??= await choosePlace(this.context.secrets, this.dataDir, (text) => void vscode.window.setStatusBarMessage(text, 8_000));
      const joined = await this.connect(place, folder, sessionId ?? this.lastSession(place, folder) ?? 'new');
      if (this.closed) await joined.conversation.close();
      return joined;
    } catch (error) {
      place?.stop();
      const message = error instanceof Error ? error.message : String(error);
      this.log.warn(message);
      this.fail({ why: error instanceof PlaceError && error.kind === 'missing' ? 'missing' : 'failed', message });
      throw error;
    }
  }

  private async connect(place: Place, folder: OpenFolder, sessionId: string): Promise<Joined> {
    const conversation = this.converse(place, folder, this.beginning(sessionId));
    const joined = { place, folder, conversation };
    conversation.subscribe(() => this.tell());
    this.joined = joined;
    try {
      await conversation.connect();
    } catch (error) {
      this.joined = undefined;
      await conversation.close();
      if (sessionId === 'new' || (error as { reason?: { kind?: string } }).reason?.kind !== 'not_found') throw error;
      return this.connect(place, folder, 'new'); // it was deleted meanwhile
    }
    await this.context.workspaceState.update(`${LAST_SESSION}${place.name}:${folder.identity.id}`, conversation.sessionId);
    await rememberSession({ dataDir: this.dataDir, workspaceId: folder.identity.id }, place.name, conversation.sessionId).catch(
      (error: unknown) => this.log.warn(`codelab chat --continue won't find this conversation: ${String(error)}`),
    );
    this.tell();
    return joined;
  }

  private converse(place: Place, folder: OpenFolder, beginning: Beginning): Conversation {
    const hostTools = hostToolExecutor(vscodeTools, () => vscode.workspace.getConfiguration('codelab').get('hostTools', true));
    const executor = composeExecutors([folder.executor, hostTools]);
    const watched = this.terminals.watch(executor.run.bind(executor));
    const run = tellRun(watched, (event) => conversation.tell(event));
    const conversation: Conversation = new Conversation(
      {
        ...folder.client,
        ...{ place, readMentioned: (content) => folder.attachments.mentioned(content), approve: this.human.approve },
        client: { name: 'codelab-vscode', version: this.version },
        executor: withRun(executor, async (toolName, args, context) => {
          this.runningCall = context.callId;
          return run(toolName, args, context);
        }),
        onClosed: (message) => {
          this.log.error(message);
          void vscode.window.showErrorMessage(`CodeLab: ${message}`);
        },
      },
      beginning,
    );
    return conversation;
  }

  private beginning(sessionId: string): Beginning {
    if (sessionId !== 'new') return vscode.workspace.isTrusted ? { sessionId } : { sessionId, mode: 'strict' };
    const settings = vscode.workspace.getConfiguration('codelab');
    const model = settings.get('model', '').trim();
    return { sessionId, model: model || undefined, mode: modeOf(settings.get('mode', 'ask'), vscode.workspace.isTrusted) };
  }

  private async openFolder(): Promise<OpenFolder> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const chosen = this.context.workspaceState.get<string>(CHOSEN_FOLDER);
    const folder = folders.find(({ uri }) => uri.toString() === chosen) ?? folders[0];
    if (folder === undefined) throw new Error('No folder is open: CodeLab works in one.');
    const others = folders.filter((other) => other !== folder);
    return openFolder([folder, ...others], { dataDir: this.dataDir, ask: this.human, warn: (text) => this.log.warn(text) });
  }

  private lastSession({ name }: Place, { identity }: OpenFolder): string | undefined {
    return this.context.workspaceState.get<string>(`${LAST_SESSION}${name}:${identity.id}`);
  }

  private fail(trouble: NoSession): void {
    this.trouble = trouble;
    this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

/** The same executor with another run; its list of tools goes on changing. */
const withRun = (executor: ToolExecutor, run: ToolExecutor['run']): ToolExecutor => ({
  ...executor,
  get tools() {
    return executor.tools;
  },
  run,
});
