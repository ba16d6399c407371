import * as vscode from 'vscode';
import type { CodeLabWindow } from './window.js';

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
      fix.command = { command: 'codelab.say', title: fix.title, arguments: [`Fix ${words.join('; ')} in ${mentionOf(document, range)}`] };
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

/** `@src/a.ts:10-20`, as a message mentions it. */
export function mentionOf({ uri }: vscode.TextDocument, { start, end, isEmpty }: vscode.Range): string {
  const path = vscode.workspace.asRelativePath(uri, false);
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return isEmpty ? `@${path}` : `@${path}:${String(start.line + 1)}-${String(last)}`;
}

/** Asks the human what they want to know of the selection, and says it to the agent. */
export async function askSelection(window: CodeLabWindow): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return;
  const mention = mentionOf(editor.document, editor.selection);
  const question = await vscode.window.showInputBox({ title: `Ask CodeLab about ${mention.slice(1)}`, placeHolder: 'What does it do?' });
  if (question) await say(window, `${question} ${mention}`);
}

/** Says something in the conversation, and shows it. */
export async function say(window: CodeLabWindow, content: string): Promise<void> {
  await vscode.commands.executeCommand('codelab.chat.focus');
  await (await window.join()).conversation.send({ content });
}
