import * as vscode from 'vscode';
import { ReviewDesk } from './approval/review-desk.js';
import { AskActions } from './ask-actions.js';
import { registerParticipant } from './chat-participant.js';
import { registerCommands } from './commands.js';
import type { ServedPort } from '../core/webview/serve-view.js';
import { ChatView } from './views/chat-view.js';
import { SessionsTree } from './views/sessions-tree.js';
import { StatusBar } from './views/status-bar.js';
import { CodeLabWindow } from './window.js';
import { WindowFacts } from './window-facts.js';
import { portOf } from './window-port.js';

let window: CodeLabWindow | undefined;

/** The editor has started: shows what there is, and goes on with the conversation that was open here. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('CodeLab', { log: true });
  const here = (window = new CodeLabWindow(context, log));
  const changed = new vscode.EventEmitter<void>();
  const facts = new WindowFacts(here, () => changed.fire());
  const desk: ReviewDesk = new ReviewDesk(here, () => chat.isVisible);
  const port = portOf(here, facts.facts, (callId) => void desk.open(callId));
  const join = (): void => void here.join().catch((error: unknown) => log.info(String(error))); // its trouble is shown
  const served = { ...port, subscribe: subscribeTo(port, changed.event) };
  const chat: ChatView = new ChatView(context.extensionUri, served, join);
  const tree = new SessionsTree(() => {
    const joined = here.current;
    return joined && { place: joined.place, workspaceId: joined.folder.identity.id, open: joined.conversation.sessionId };
  });
  const status = new StatusBar();
  context.subscriptions.push(
    ...[log, status, changed, desk, here.terminals],
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new AskActions(), { providedCodeActionKinds: AskActions.kinds }),
    registerParticipant(here, vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png')),
    vscode.window.registerWebviewViewProvider(ChatView.id, chat, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.registerTreeDataProvider(SessionsTree.id, tree),
    registerCommands({ window: here, tree, log, secrets: context.secrets }),
    followWindow(here, { status, tree }),
    followSettings(here, log),
  );
  if (here.remembers()) join();
}

/** What changes of the window and of what is known beside it. */
const subscribeTo =
  (port: ServedPort, changed: vscode.Event<void>): ServedPort['subscribe'] =>
  (listener) => {
    const [end, heard] = [port.subscribe(listener), changed(listener)];
    return () => {
      end();
      heard.dispose();
    };
  };

export async function deactivate(): Promise<void> {
  await window?.dispose();
}

/** What the rest of the editor shows of the window's session. */
function followWindow(
  window: CodeLabWindow,
  { status, tree }: { readonly status: StatusBar; readonly tree: SessionsTree },
): vscode.Disposable {
  const contexts = new Map<string, unknown>();
  const put = (name: string, value: unknown): void => {
    if (contexts.get(name) === value) return;
    contexts.set(name, value);
    void vscode.commands.executeCommand('setContext', name, value);
  };
  let listed = '';
  const follow = (): void => {
    const { current, noSession } = window;
    const view = window.view();
    status.show(current === undefined ? noSession : view);
    put('codelab.running', view.turn !== undefined);
    put('codelab.waiting', window.human.waiting().length > 0);
    put('codelab.connected', current !== undefined && view.link === 'open');
    put('codelab.place', current === undefined ? noSession.why : 'here');
    const now = [view.sessionId, view.turn?.turnId, window.human.waiting().length].join(' ');
    if (now !== listed) tree.refresh();
    listed = now;
  };
  const end = window.subscribe(follow);
  follow();
  return new vscode.Disposable(end);
}

/** Another gateway, command or folder: what was joined is left, and joined anew where it is looked at. */
function followSettings(window: CodeLabWindow, log: vscode.LogOutputChannel): vscode.Disposable {
  const again = async (): Promise<void> => {
    const wasJoined = window.current !== undefined || window.noSession.why !== 'closed';
    await window.leave();
    if (wasJoined) await window.join();
  };
  const retry = (): void => void again().catch((error: unknown) => log.info(String(error))); // its trouble is shown
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (['url', 'command', 'dataDirectory'].some((name) => event.affectsConfiguration(`codelab.${name}`))) retry();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(retry),
  );
}
