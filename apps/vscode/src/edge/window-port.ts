import * as vscode from 'vscode';
import type { Decision, OutgoingMessage, SessionChoice } from '@codelab/ui/port';
import type { SentFacts } from '../core/webview/messages.js';
import type { ServedPort } from '../core/webview/serve-view.js';
import { describeMode, modeNamed, PERMISSION_MODES } from '@codelab/client/view';
import type { CodeLabWindow } from './window.js';

const COMPLETED = 50;

/** Commands that a view may run. */
const COMMANDS: ReadonlySet<string> = new Set(['codelab.connect', 'codelab.setToken', 'codelab.chooseCommand', 'codelab.retry']);

/** What the chat shows of a window, and may ask of it. */
export function portOf(window: CodeLabWindow, facts: () => SentFacts, openDiff: (callId: string) => void): ServedPort {
  const joined = async () => window.join();
  return {
    view: window.view,
    subscribe: (listener) => window.subscribe(listener),
    questions: window.human.questions,
    facts,
    send: async (message: OutgoingMessage) => (await joined()).conversation.send(message),
    cancel: async (options) => (await joined()).conversation.cancel(options),
    removeQueued: async (messageId) => (await joined()).conversation.removeQueued(messageId),
    async decide(callId: string, answer: Decision) {
      if (!window.human.decide(callId, answer)) await (await joined()).conversation.decide(callId, answer);
    },
    choose: async (what: SessionChoice) => (await joined()).conversation.choose(what),
    loadOlder: async () => (await joined()).conversation.loadOlder(),
    loadImages: async (callId) => (await joined()).conversation.loadImages(callId),
    answer: async (id, answer) => window.human.answer(id, answer),
    async previewArguments(callId, args) {
      const { folder, conversation } = await joined();
      const toolName = window.human.find(callId)?.request.toolName ?? '';
      const { signal } = new AbortController();
      const shown = await folder.executor.preview(toolName, args, signal, conversation.sessionId); // the arguments are checked there
      if (shown?.fault !== undefined) throw new Error(shown.fault.message);
      if (shown === undefined) throw new Error(`There is nothing to show of ${toolName}.`);
      return shown.preview;
    },
    completePath: async (path) => (await joined()).folder.attachments.complete(path, COMPLETED),
    openFile(path, line) {
      const placed = window.current?.folder.folders.place(path);
      if (placed === undefined) return;
      const { root } = placed.folder;
      const uri = vscode.Uri.joinPath(vscode.Uri.file(root), placed.path);
      if (!uri.path.startsWith(`${vscode.Uri.file(root).path}/`)) return; // the words of a model lead nowhere else
      const at = Math.max(0, (line ?? 1) - 1);
      void vscode.window
        .showTextDocument(uri, { selection: new vscode.Range(at, 0, at, 0), preview: true })
        .then(undefined, () => vscode.window.showWarningMessage(`CodeLab: ${path} can't be opened.`));
    },
    openDiff,
    openLink(url) {
      if (/^(https?|mailto):/i.test(url)) void vscode.env.openExternal(vscode.Uri.parse(url, true));
    },
    runCommand(command) {
      if (COMMANDS.has(command)) void vscode.commands.executeCommand(command);
    },
  };
}

/** The modes, as choosers show them. */
export const MODE_CHOICES = PERMISSION_MODES.map((name) => ({ value: modeNamed(name), label: name, detail: describeMode(name) }));
