import type { RememberedRule } from '@codelab/client';
import { argsDigest } from '@codelab/tools';
import { randomBytes } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { ApprovalQuestion, UserQuestion } from '../approvals/decision.js';
import { makeConsoleFolder, socketFile, withShortPath } from './console-folder.js';
import { readQuestion, type ConsoleAnswer, type ConsoleQuestion } from './console-wire.js';
import { readLine } from './read-line.js';

/** What a person makes of a call. */
export type PersonDecision =
  | { readonly decision: 'approve'; readonly remember?: RememberedRule | undefined }
  | { readonly decision: 'reject'; readonly feedback?: string | undefined; readonly remember?: RememberedRule | undefined };

/** The person at a console. Each signal aborts when the question is settled elsewhere; `undefined`: they went away. */
export interface Person {
  decide(question: ApprovalQuestion & { readonly refusal?: string }, signal: AbortSignal): Promise<PersonDecision | undefined>;
  /** Resolves with `{}` if they decline. */
  answer(question: UserQuestion, signal: AbortSignal): Promise<{ readonly action?: string } | undefined>;
}

/** A console that is open. */
export interface OpenConsole {
  /** Nobody is there any more: whoever waits hears so. */
  close(): Promise<void>;
}

/**
 * Listens for the questions of the MCP servers of a workspace, on a socket that only processes of this user can reach (0600, in a folder of
 * 0700).
 *
 * @param folder that of {@link consoleFolder}
 */
export async function openConsole(folder: string, person: Person): Promise<OpenConsole> {
  await makeConsoleFolder(folder);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    void serve(socket, person);
  });
  const file = socketFile(folder, randomBytes(6).toString('hex'));
  await withShortPath(folder, file, (path) => listen(server, path));
  await chmod(file, 0o600);
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      await rm(file, { force: true });
    },
  };
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve());
  });

async function serve(socket: Socket, person: Person): Promise<void> {
  const over = new AbortController();
  socket.on('close', () => over.abort());
  const line = await readLine(socket);
  const question = line === undefined ? undefined : readQuestion(line);
  const answer = question && (await ask(question, person, over.signal).catch(() => undefined)); // a prompt that fails decides nothing
  if (answer === undefined || over.signal.aborted) return void socket.destroy();
  socket.end(`${JSON.stringify(answer)}\n`);
}

async function ask(question: ConsoleQuestion, person: Person, signal: AbortSignal): Promise<ConsoleAnswer | undefined> {
  if (question.kind === 'question') {
    const answer = await person.answer(question, signal);
    return answer && { kind: 'question', ...answer };
  }
  const argsSha256 = argsDigest(JSON.parse(question.argsText)); // what is shown is what is decided on, whatever the question says (H2)
  if (argsSha256 !== question.argsSha256) return undefined;
  const decision = await person.decide(question, signal);
  return decision && { kind: 'approval', argsSha256, ...decision };
}
