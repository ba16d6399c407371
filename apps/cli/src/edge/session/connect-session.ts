import {
  CodeLabClient,
  ConnectionClosedError,
  clientIdFor,
  openLocalPolicy,
  type Approve,
  type ConnectionState,
  type ToolExecutor,
} from '@codelab/client';
import type { ServerFrame } from '@codelab/protocol';
import { readAllowedSecrets, systemShell } from '@codelab/workspace';
import { join } from 'node:path';
import type { SessionEvent } from '@codelab/client/view';
import { openTracing } from '@codelab/tracing';
import { CommandError } from '../../core/command-error.js';
import { wishesOf, type SessionChoices } from '../../core/session/permission-mode.js';
import { usualChoices } from '../user-config/read-settings.js';
import { readCliConfig } from '../config.js';
import { SessionTraces } from './client-traces.js';
import { version } from '../version.js';
import type { Gateway } from './gateway.js';
import type { ChosenWorkspace } from './choose-workspace.js';

/** A gateway that isn't there at the start is said so; one that goes away later is waited for. */
const FIRST_ATTEMPTS = 3;

export interface SessionParts {
  readonly gateway: Gateway;
  readonly workspace: ChosenWorkspace;
  readonly dataDir: string;
  readonly sessionId: string;
  /** What was chosen on the command line. */
  readonly choices?: SessionChoices;
  /** `chat --continue` comes back to it; true without. */
  readonly isConversation?: boolean;
  readonly executor: ToolExecutor;
  readonly approve: Approve;
  readonly onFrame: (frame: ServerFrame, text: string) => void;
  readonly onState: (state: ConnectionState) => void;
  /** Hears problems, and calls that were refused here. */
  readonly tell: (event: SessionEvent) => void;
  /** Gives up a connection that does not stand yet. */
  readonly signal?: AbortSignal;
}

/** Connects this workspace to a session and resolves when it is live. Throws `CommandError` with what to do. */
export async function connectSession(parts: SessionParts): Promise<CodeLabClient> {
  const { gateway, workspace, dataDir } = parts;
  const warn = (text: string): void => parts.tell({ kind: 'notice', tone: 'warning', text, atMs: Date.now() });
  let live = false;
  let giveUp: (error: CommandError) => void = () => undefined;
  const absent = new Promise<never>((_, reject) => (giveUp = reject));
  const tracing = await openTracing({ name: 'codelab-client', version }, readCliConfig().exporting, warn);
  const traces = tracing && new SessionTraces(tracing);
  const client = new CodeLabClient({
    url: () => gateway.ws,
    token: async () => {
      await gateway.follow();
      return gateway.token;
    },
    sessionId: parts.sessionId,
    clientId: await clientIdFor(dataDir, workspace.identity.id),
    client: { name: 'codelab', version },
    executor: traces ? traces.follow(parts.executor) : parts.executor,
    traces,
    workspace: workspace.identity,
    journalDir: join(dataDir, 'journal'),
    ...wishesOf(parts.choices ?? {}, parts.sessionId, usualChoices()),
    approve: parts.approve,
    localPolicy: openLocalPolicy({ dataDir, onProblem: warn, posixShell: async () => (await systemShell(workspace.identity.root)).posix }),
    allowedSecrets: () => readAllowedSecrets(dataDir),
    onFrame: traces ? (frame, text) => (traces.hear(frame), parts.onFrame(frame, text)) : parts.onFrame,
    onProblem: ({ message }) => warn(message),
    onRefused: (callId, error) => parts.tell({ kind: 'call_finished', callId, error, atMs: Date.now() }),
    onState(state) {
      live ||= state.kind === 'live';
      if (!live && state.kind === 'reconnecting' && state.attempt >= FIRST_ATTEMPTS) giveUp(noGateway(gateway, state.why));
      parts.onState(state);
    },
  });
  const leave = (): void => giveUp(new CommandError('It was left before it was connected.'));
  parts.signal?.addEventListener('abort', leave, { once: true });
  try {
    if (parts.signal?.aborted === true) leave();
    await Promise.race([absent, client.connect()]);
    if (parts.isConversation !== false) await workspace.rememberSession(gateway.place, client.sessionId);
    return client;
  } catch (error) {
    await client.close();
    if (error instanceof ConnectionClosedError) throw new CommandError(error.message, 1, { cause: error });
    throw error;
  } finally {
    parts.signal?.removeEventListener('abort', leave);
  }
}

const noGateway = (gateway: Gateway, why: string): CommandError =>
  new CommandError(`No gateway answers at ${gateway.ws} (${why}): start one with \`codelab up\`, or give its address with --url.`);
