import * as vscode from 'vscode';
import { followAnswer } from '../core/session/follow-answer.js';
import type { CodeLabWindow } from './window.js';

/** `@codelab` in the editor's own chat: says it in this window's conversation, and shows the answer there, too. */
export function registerParticipant(window: CodeLabWindow, icon: vscode.Uri): vscode.Disposable {
  if (typeof vscode.chat?.createChatParticipant !== 'function') return new vscode.Disposable(() => undefined); // a host without a chat
  const participant = vscode.chat.createChatParticipant('codelab.participant', async ({ prompt }, _context, stream, token) => {
    const { conversation } = await window.join();
    const stop = new AbortController();
    const stopped = token.onCancellationRequested(() => {
      void conversation.cancel().catch(() => undefined); // it has ended already
      stop.abort();
    });
    try {
      stream.progress('CodeLab works; what it asks is shown in its view.');
      await followAnswer(conversation, { content: prompt, tell: (text) => stream.markdown(text), signal: stop.signal });
      stream.button({ command: 'codelab.focus', title: 'Open the conversation' });
    } finally {
      stopped.dispose();
    }
  });
  participant.iconPath = icon;
  return participant;
}
