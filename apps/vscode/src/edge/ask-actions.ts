import * as vscode from 'vscode';
import { pathOf } from './editor/vscode-editor.js';
import type { CodeLabWindow, Joined } from './window.js';

const MAX_PROBLEMS = 5;

/** Light bulbs: `Fix with CodeLab` at problems, `Ask CodeLab` at a selection. */
export class AskActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.Refactor];

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range, { diagnostics }: vscode.CodeActionContext): vscode.CodeAction[] {
    const actions: vscode.CodeAction[] = [];
    if (diagnostics.length > 0) {
      const fix = new vscode.CodeAction('Fix with CodeLab', vscode.CodeActionKind.QuickFix);
      fix.diagnostics = [...diagnostics];
      const words = diagnostics.slice(0, MAX_PROBLEMS).map((one) => `line ${String(one.range.start.line + 1)}: ${one.message}`);
      fix.command = { command: 'codelab.say', title: fix.title, arguments: [`Fix ${words.join('; ')} in`, { uri: document.uri, range }] };
      actions.push(fix);
    }
    if (!range.isEmpty) {
      const ask = new vscode.CodeAction('Ask CodeLab about this', vscode.CodeActionKind.Refactor);
      ask.command = { command: 'codelab.askSelection', title: ask.title };
      actions.push(ask);
    }
    return actions;
  }
}

/** Lines of a file. */
export interface Place {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** `@src/a.ts:10-20`, as a message mentions it. */
function mentionOf({ folder }: Joined, { uri, range: { start, end, isEmpty } }: Place): string {
  const path = folder.folders.locate(pathOf(uri));
  if (path === undefined) throw new Error(`${uri.fsPath} is in none of the folders that CodeLab works in.`);
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  const name = /[\s"]/.test(path) ? `@"${path}"` : `@${path}`;
  return isEmpty ? name : `${name}:${String(start.line + 1)}-${String(last)}`;
}

/** Asks the human what they want to know of the selection, and says it to the agent. */
export async function askSelection(window: CodeLabWindow): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return;
  const { document, selection } = editor;
  const about = vscode.workspace.asRelativePath(document.uri);
  const question = await vscode.window.showInputBox({ title: `Ask CodeLab about ${about}`, placeHolder: 'What does it do?' });
  if (question) await say(window, question, { uri: document.uri, range: selection });
}

/** Says something in the conversation, with the place that it is about, and shows it. */
export async function say(window: CodeLabWindow, content: string, about?: Place): Promise<void> {
  await vscode.commands.executeCommand('codelab.chat.focus');
  const joined = await window.join();
  await joined.conversation.send({ content: about === undefined ? content : `${content} ${mentionOf(joined, about)}` });
}
