import * as vscode from 'vscode';
import type { AssistantItem, SessionView } from '@codelab/client/view';
import type { CodeLabWindow } from './window.js';

/** `@codelab` in the editor's own chat: says it in this window's conversation, and shows the answer there, too. */
export function registerParticipant(window: CodeLabWindow, icon: vscode.Uri): vscode.Disposable {
  if (typeof vscode.chat?.createChatParticipant !== 'function') return new vscode.Disposable(() => undefined); // a host without a chat
  const participant = vscode.chat.createChatParticipant('codelab.participant', async ({ prompt }, _context, stream, token) => {
    const { conversation } = await window.join();
    const known = new Set(assistantsOf(conversation.view()).map(({ messageId }) => messageId));
    const shown = new Map<string, number>();
    const tell = (): void => {
      for (const { messageId, text } of assistantsOf(conversation.view())) {
        if (known.has(messageId)) continue;
        const from = shown.get(messageId) ?? 0;
        if (text.length > from) stream.markdown((from === 0 && shown.size > 0 ? '\n\n' : '') + text.slice(from));
        shown.set(messageId, text.length);
      }
    };
    const stopped = token.onCancellationRequested(() => void conversation.cancel().catch(() => undefined)); // it has ended already
    const end = conversation.subscribe(tell);
    try {
      stream.progress('CodeLab works; what it asks is shown in its view.');
      await conversation.send({ content: prompt });
      await untilRests(conversation, token);
      tell();
      stream.button({ command: 'codelab.focus', title: 'Open the conversation' });
    } finally {
      end();
      stopped.dispose();
    }
  });
  participant.iconPath = icon;
  return participant;
}

const assistantsOf = ({ items }: SessionView): readonly AssistantItem[] => items.filter((item) => item.kind === 'assistant');

/** Resolves when no turn runs and nothing waits. */
function untilRests(
  { view, subscribe }: { readonly view: () => SessionView; readonly subscribe: (listener: () => void) => () => void },
  token: vscode.CancellationToken,
): Promise<void> {
  return new Promise((resolve) => {
    const rests = (): boolean =>
      view().turn === undefined && view().queue.length === 0 && !view().items.some((item) => item.kind === 'user' && item.state === 'sent');
    const finish = (): void => {
      end();
      cancelled.dispose();
      resolve();
    };
    const end = subscribe(() => rests() && finish());
    const cancelled = token.onCancellationRequested(finish);
    if (rests()) setTimeout(finish);
  });
}
