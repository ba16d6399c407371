import { appendFile, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { conversationsOf, lastSession, rememberSession } from '@codelab/client';
import { workspaceIdentity } from '@codelab/workspace';
import type { WorkspaceIdentity } from '@codelab/workspace';
import { CommandError } from '../../core/command-error.js';
import { readSettings } from '../user-config/read-settings.js';

/** The folder that the tools work on, and what this machine remembers about it. */
export interface ChosenWorkspace {
  readonly identity: WorkspaceIdentity;
  /** The session that was used last here at this place (see `Gateway.place`). */
  lastSession(place: string): Promise<string | undefined>;
  rememberSession(place: string, sessionId: string): Promise<void>;
  /** Messages that were typed here, oldest first. */
  history(): Promise<readonly string[]>;
  rememberMessage(text: string): Promise<void>;
}

/** Messages that are offered again. */
const MAX_HISTORY = 200;

const keepsHistory = (): boolean => readSettings().history ?? true;

/** Looks at the folder that was named. Throws `CommandError` if it is none. */
export async function chooseWorkspace(directory: string, dataDir: string): Promise<ChosenWorkspace> {
  const root = await toFolder(directory);
  const identity = await workspaceIdentity(root, dataDir);
  const folder = { dataDir, workspaceId: identity.id };
  const own = conversationsOf(folder);
  await mkdir(own, { recursive: true, mode: 0o700 });
  const messages = join(own, 'messages.jsonl');
  return {
    identity,
    lastSession: (place) => lastSession(folder, place),
    rememberSession: (place, sessionId) => rememberSession(folder, place, sessionId),
    history: async () => (keepsHistory() ? readMessages(messages) : []),
    async rememberMessage(text) {
      if (keepsHistory()) await appendFile(messages, `${JSON.stringify(text)}\n`, { mode: 0o600 });
    },
  };
}

async function toFolder(directory: string): Promise<string> {
  const path = resolve(directory);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? `There is no folder ${path}` : `The folder ${path} can't be opened (${error.code})`;
    throw new CommandError(`${why}: name one with --workspace DIR.`, 2, { cause: error });
  });
  if (!found.isDirectory()) throw new CommandError(`${path} is no folder: name one with --workspace DIR.`, 2);
  return realpath(path);
}

async function readMessages(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => ''); // the first time there is none
  return text
    .split('\n')
    .slice(-MAX_HISTORY - 1)
    .flatMap((line) => {
      try {
        const message = JSON.parse(line) as unknown;
        return typeof message === 'string' ? [message] : [];
      } catch {
        return []; // the empty last line, or one that was cut off
      }
    });
}
