import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { ServerFrame } from '@codelab/protocol';
import type { CodeLabClient } from '@codelab/client';
import type { SessionEvent } from '@codelab/client/view';
import { newChat } from '../../core/chat/chat-state.js';
import { AwayLimit } from '../session/away-limit.js';
import { connectSession } from '../session/connect-session.js';
import { headlessHuman } from '../session/headless-human.js';
import { openBeside } from '../mcp/mcp-beside.js';
import { mcpPlaceOf } from '../mcp/mcp-place.js';
import { localExecutor } from '../session/local-executor.js';
import { MessageFiles } from '../session/message-files.js';
import { SessionConsole } from '../session-console.js';
import type { ChatPlace } from './chat-place.js';

/**
 * A conversation without a terminal: each line of stdin is a message, answered before the next one is read; what happens is written as
 * plain lines. Nobody is there to approve anything. Throws `CommandError` when the gateway is away for longer than a minute.
 */
export async function runPipedChat(
  place: ChatPlace,
  firstMessage: string | undefined,
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable } = process,
  away = new AwayLimit(),
): Promise<void> {
  const console = new SessionConsole(newChat({ writes: false }), {
    output: stdout,
    live: false,
    theme: undefined,
    onEffect: () => undefined,
  });
  const tell = (event: SessionEvent): void => console.tell(event);
  const human = headlessHuman('none');
  const waiting = new Map<string, () => void>();
  const onFrame = (frame: ServerFrame): void => {
    tell({ kind: 'frame', frame, atMs: Date.now() });
    if (frame.type === 'turn_ended') for (const messageId of frame.message_ids) waiting.get(messageId)?.();
  };
  const { dataDir, configDir, index } = place;
  const { executor, workspace } = await localExecutor({ root: place.workspace.identity.root, dataDir, configDir, ask: human, tell, index });
  const mcp = await openBeside({
    place: mcpPlaceOf(place),
    workspace: executor,
    tell,
    say: (text) => void process.stderr.write(`${text}\n`),
  });
  let connected: CodeLabClient | undefined;
  try {
    const client = await connectSession({
      ...place,
      executor: mcp.executor,
      approve: human.approve,
      onFrame,
      onState: (state) => away.follow(state),
      tell,
    });
    connected = client;
    const files = new MessageFiles(workspace.attachments, new Set(), (content) => mcp.attachments(content));
    const answer = async (content: string): Promise<void> => {
      const attachments = await files.ofMessage(content).catch((error: Error) => error);
      if (attachments instanceof Error) return tell({ kind: 'notice', tone: 'error', text: attachments.message, atMs: Date.now() });
      const messageId = randomUUID();
      tell({ kind: 'message_sent', messageId, content, attachments, atMs: Date.now() });
      const ended = new Promise<void>((resolve) => waiting.set(messageId, resolve));
      const sent = client.sendMessage(content, { messageId, attachments });
      await Promise.race([sent.then(() => ended), away.over]);
      console.draw();
    };
    if (firstMessage !== undefined) await answer(firstMessage);
    for await (const line of createInterface({ input: stdin })) if (line.trim() !== '') await answer(line.trim());
  } finally {
    away.stop();
    console.close();
    await connected?.close();
    await mcp.close();
  }
}
