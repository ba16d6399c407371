import * as vscode from 'vscode';
import { askRest } from '@codelab/client/observer';
import type { SessionEntry } from '../core/session/session-entries.js';
import { parseGateway } from '../core/place/parse-gateway.js';
import { secretNameOf } from './place/choose-place.js';
import { askSelection, say, type Place } from './ask-actions.js';
import { undoTurn } from './undo.js';
import type { SessionsTree } from './views/sessions-tree.js';
import { MODE_CHOICES } from './window-port.js';
import type { CodeLabWindow } from './window.js';

interface Parts {
  readonly window: CodeLabWindow;
  readonly tree: SessionsTree;
  readonly log: vscode.LogOutputChannel;
  readonly secrets: vscode.SecretStorage;
}

const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('codelab');

/** The commands by which people steer a window; what fails is told in a message. */
export function registerCommands({ window, tree, log, secrets }: Parts): vscode.Disposable {
  const commands: Readonly<Record<string, (argument?: unknown, more?: unknown) => Promise<unknown>>> = {
    'codelab.focus': async () => vscode.commands.executeCommand('codelab.chat.focus'),
    'codelab.retry': async () => window.join(),
    'codelab.newSession': async () => {
      await vscode.commands.executeCommand('codelab.chat.focus');
      await window.switchTo('new');
      tree.refresh();
    },
    'codelab.openSession': async (id) => {
      await vscode.commands.executeCommand('codelab.chat.focus');
      if (typeof id === 'string' && id !== window.current?.conversation.sessionId) await window.switchTo(id);
      tree.refresh();
    },
    'codelab.deleteSession': async (entry) => {
      await deleteSession(window, entry as SessionEntry);
      tree.refresh();
    },
    'codelab.refreshSessions': async () => tree.refresh(),
    'codelab.stop': async () => window.current?.conversation.cancel({ queue: true }),
    'codelab.chooseMode': async () => {
      const picked = await vscode.window.showQuickPick(
        MODE_CHOICES.map(({ value, label, detail }) => ({ label, detail, value })),
        { title: 'How much is asked in this conversation' },
      );
      if (picked) await (await window.join()).conversation.choose({ mode: picked.value });
    },
    'codelab.chooseModel': async () => {
      const model = await vscode.window.showInputBox({ title: 'The model of the messages to come', value: window.view().model ?? '' });
      if (model) await (await window.join()).conversation.choose({ model });
    },
    'codelab.chooseAgent': async () => {
      const { place, conversation } = await window.join();
      const path = `/api/v1/sessions/${encodeURIComponent(conversation.sessionId)}/agents`;
      const { agents } = (await askRest({ origin: place.http, headers: { authorization: `Bearer ${place.token}` } }, 'GET', path)) as {
        readonly agents: readonly { readonly name: string; readonly description?: string }[];
      };
      const picked = await vscode.window.showQuickPick(
        agents.map(({ name, description }) => ({ label: name, detail: description })),
        { title: 'The agent of this conversation' },
      );
      if (picked) await conversation.choose({ agent: picked.label });
    },
    'codelab.connect': async () => {
      const given = await vscode.window.showInputBox({
        ...{ title: 'Address of the gateway', placeHolder: 'wss://codelab.example.com', value: settings().get('url', '') },
        validateInput: (text) => faultOf(text),
      });
      if (!given) return;
      await settings().update('url', given.trim(), vscode.ConfigurationTarget.Global);
      if ((await secrets.get(secretNameOf(parseGateway(given).http))) === undefined) await askToken(secrets, given);
      await joinAnew(window);
    },
    'codelab.setToken': async () => {
      const url = settings().get('url', '').trim();
      if (url === '') return vscode.window.showInformationMessage('The services of this machine need no token.');
      await askToken(secrets, url);
      await joinAnew(window);
    },
    'codelab.useLocal': async () => {
      await settings().update('url', undefined, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('codelab.focus');
      await window.join();
    },
    'codelab.chooseFolder': async () => {
      const folder = await vscode.window.showWorkspaceFolderPick({ placeHolder: 'The folder that the agent works in' });
      if (folder) await window.useFolder(folder);
    },
    'codelab.chooseCommand': async () => {
      const [file] = (await vscode.window.showOpenDialog({ title: 'The codelab command', canSelectMany: false })) ?? [];
      if (file) await settings().update('command', file.fsPath, vscode.ConfigurationTarget.Global);
    },
    'codelab.walkthrough': async () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', 'codelab.codelab-vscode#begin', false),
    'codelab.showLog': async () => log.show(),
    'codelab.askSelection': async () => askSelection(window),
    'codelab.say': async (content, about) => (typeof content === 'string' ? say(window, content, about as Place | undefined) : undefined),
    'codelab.undo': async () => undoTurn(window),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(name, (argument?: unknown, more?: unknown) =>
      run(argument, more).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        log.warn(`${name}: ${message}`);
        void vscode.window.showErrorMessage(`CodeLab: ${message}`);
      }),
    ),
  );
  return vscode.Disposable.from(...registered);
}

const faultOf = (text: string): string | undefined => {
  try {
    parseGateway(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** With the token that is there now: what was joined without it could not be. */
async function joinAnew(window: CodeLabWindow): Promise<void> {
  await window.leave();
  await window.join();
}

async function askToken(secrets: vscode.SecretStorage, url: string): Promise<void> {
  const { http } = parseGateway(url);
  const token = await vscode.window.showInputBox({ title: `Token for ${http}`, password: true, ignoreFocusOut: true });
  if (token) await secrets.store(secretNameOf(http), token.trim());
}

async function deleteSession(window: CodeLabWindow, { id, label }: SessionEntry): Promise<void> {
  const { place, conversation } = await window.join();
  const sure = await vscode.window.showWarningMessage(`Delete "${label}" with all that was said in it?`, { modal: true }, 'Delete');
  if (sure !== 'Delete') return;
  const headers = { authorization: `Bearer ${place.token}` };
  if (conversation.sessionId === id) await window.switchTo('new');
  await askRest({ origin: place.http, headers }, 'DELETE', `/api/v1/sessions/${encodeURIComponent(id)}`);
}
