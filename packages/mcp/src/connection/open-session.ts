import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Client, SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { RemoteServer, StdioServer } from '../config/mcp-server-config.js';
import { cleanLine } from '../lists/clean-text.js';
import { capabilitiesOf, serveRequests } from '../requests/serve-requests.js';
import { boundedFetch } from '../transports/bounded-fetch.js';
import { GuardedTransport } from '../transports/guarded-transport.js';
import { StdioTransport } from '../transports/stdio-transport.js';
import { ConnectFailure, describeMissing, describeRemote, isLoginMissing, isTimeout, rootMessage } from './connect-failure.js';
import { ServerSession } from './server-session.js';
import type { SessionOptions } from './session-options.js';

/** How long a program may be silent on the modern handshake before the former one is tried. */
const PROBE_MS = 8_000;

/** What holds one attempt together: the first reason that it failed for, and what to do when it does. */
interface Attempt {
  readonly transport: Transport;
  readonly kind: 'stdio' | 'http' | 'sse';
  readonly stderr: () => string;
  /** How a program ended. */
  readonly exit: () => string | undefined;
  /** Why a program could not be started, as a code of the system. */
  readonly startFault: () => string | undefined;
  readonly terminate: () => Promise<void>;
  /** Ends it before it was ready. */
  readonly abandon: () => Promise<void>;
  readonly lastStatus: () => number | undefined;
}

/**
 * Connects to a server: the modern protocol (2026-07-28) if it speaks that, else the former ones; Streamable HTTP, or the transport before
 * it where a server refuses the first message with a status of 4xx.
 *
 * @throws ConnectFailure whose message says what to do; nothing of the attempt is left then
 */
export async function openSession(options: SessionOptions): Promise<ServerSession> {
  const { transport } = options.config;
  if (transport.kind === 'stdio') return connectProgram(transport, options);
  if (transport.kind === 'sse') return connect(remote(transport, 'sse', options), transport, options);
  const first = remote(transport, 'http', options);
  try {
    return await connect(first, transport, options);
  } catch (error) {
    const status = first.lastStatus();
    const refused = status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403;
    if (options.signal.aborted || !refused || (error instanceof ConnectFailure && error.kind === 'needs_login')) throw error;
    return connect(remote(transport, 'sse', options), transport, options).catch(() => {
      throw error; // the answer to the newer transport says more
    });
  }
}

async function connectProgram(server: StdioServer, options: SessionOptions): Promise<ServerSession> {
  const cwd = resolve(options.cwd, server.cwd ?? '.');
  if (!(await isDirectory(cwd))) throw new ConnectFailure('failed', `The folder ${JSON.stringify(cleanLine(cwd, 200))} is not there.`);
  try {
    return await connect(program(server, cwd, options), server, options);
  } catch (error) {
    // A program that ends at a request before `initialize` is one of the former protocol.
    if (options.signal.aborted || options.prior !== undefined || !(error instanceof ProbeDeath)) throw error;
    return connect(program(server, cwd, options), server, { ...options, prior: { kind: 'legacy' } });
  }
}

/** The program ended while it was asked for the modern protocol. */
class ProbeDeath extends ConnectFailure {}

function program(server: StdioServer, cwd: string, options: SessionOptions): Attempt {
  const stdio = new StdioTransport({
    command: server.command,
    args: server.args,
    env: { ...options.environment, ...server.env },
    cwd,
    onMisconduct: options.onMisconduct,
    onFatal: (why) => fatal(why),
  });
  const { transport, fatal } = guard(stdio, true, options);
  return {
    transport,
    kind: 'stdio',
    stderr: () => stdio.stderrTail,
    exit: () => stdio.exit,
    startFault: () => stdio.startFault,
    terminate: () => Promise.resolve(),
    abandon: () => stdio.abandon(),
    lastStatus: () => undefined,
  };
}

function remote(server: RemoteServer, kind: 'http' | 'sse', options: SessionOptions): Attempt {
  const url = new URL(server.url);
  let lastStatus: number | undefined;
  let fail = (_why: string): void => undefined;
  const fetch = boundedFetch({
    fetch: options.fetch,
    url,
    headers: server.headers,
    onStatus: (status) => (lastStatus = status),
    onFatal: (why) => fail(why),
  });
  const shared = { fetch, authProvider: options.auth };
  const inner =
    kind === 'http'
      ? new StreamableHTTPClientTransport(url, {
          ...shared,
          reconnectionOptions: {
            initialReconnectionDelay: 1_000,
            maxReconnectionDelay: 60_000,
            reconnectionDelayGrowFactor: 2,
            maxRetries: 8,
          },
        })
      : new SSEClientTransport(url, shared);
  const { transport, fatal } = guard(inner, false, options);
  fail = fatal;
  return {
    transport,
    kind,
    stderr: () => '',
    exit: () => undefined,
    startFault: () => undefined,
    terminate: async () => {
      if (inner instanceof StreamableHTTPClientTransport) await inner.terminateSession().catch(() => undefined);
    },
    abandon: () => inner.close(),
    lastStatus: () => lastStatus,
  };
}

/** The transport with its guard. What is fatal closes it, and is remembered for whoever asks why it closed. */
function guard(inner: Transport, isProgram: boolean, { clock, onMisconduct }: SessionOptions) {
  const fatal = (why: string): void => {
    transport.why ??= why;
    void transport.close();
  };
  const transport: GuardedTransport = new GuardedTransport(inner, { clock, isProgram, onMisconduct, onFatal: fatal });
  return { transport, fatal };
}

async function connect(attempt: Attempt, server: StdioServer | RemoteServer, options: SessionOptions): Promise<ServerSession> {
  const client = new Client(options.clientInfo, {
    capabilities: capabilitiesOf(options),
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: attempt.kind === 'stdio' ? PROBE_MS : options.connectTimeoutMs } },
    inputRequired: { maxRounds: 10 },
  });
  const session = new ServerSession(client, attempt, options);
  serveRequests(client, options);
  let isLate = false;
  const giveUp = (): void => void attempt.abandon().catch(() => undefined);
  const cancelTimer = options.clock.after(options.connectTimeoutMs, () => {
    isLate = true;
    giveUp();
  });
  options.signal.addEventListener('abort', giveUp, { once: true });
  try {
    options.signal.throwIfAborted();
    await client.connect(attempt.transport, {
      timeout: options.connectTimeoutMs,
      prior: options.prior,
      ...(attempt.kind === 'sse' && options.prior === undefined && { prior: { kind: 'legacy' as const } }),
    });
    session.begin();
    return session;
  } catch (error) {
    await attempt.abandon().catch(() => undefined);
    await session.close();
    throw toFailure(error, { attempt, server, isLate, options });
  } finally {
    cancelTimer();
    options.signal.removeEventListener('abort', giveUp);
  }
}

interface FailureContext {
  readonly attempt: Attempt;
  readonly server: StdioServer | RemoteServer;
  readonly isLate: boolean;
  readonly options: SessionOptions;
}

function toFailure(error: unknown, { attempt, server, isLate, options }: FailureContext): ConnectFailure {
  const seconds = Math.round(options.connectTimeoutMs / 1_000);
  const late = isLate || isTimeout(error);
  if (server.kind !== 'stdio') {
    if (isLoginMissing(error)) return new ConnectFailure('needs_login', 'It wants a login.', { cause: error });
    const why = late ? `${new URL(server.url).origin} did not answer within ${seconds} seconds.` : describeRemote(server.url, error);
    return new ConnectFailure('failed', why, { cause: error });
  }
  const fault = attempt.startFault();
  if (fault !== undefined) return new ConnectFailure('failed', describeMissing(server.command, fault), { cause: error });
  const ended = attempt.exit();
  const words = cleanLine(attempt.stderr().trim().split('\n').slice(-3).join(' '), 300);
  const said = words === '' ? '' : ` The last it wrote to its standard error: ${words}`;
  if (late) return new ConnectFailure('failed', `It did not answer within ${seconds} seconds.${said}`, { cause: error });
  const why = attempt.transport instanceof GuardedTransport ? attempt.transport.why : undefined;
  const what = why ?? ended ?? cleanLine(rootMessage(error), 200);
  const message = `Not connected: ${what}.${said}`;
  return ended !== undefined && why === undefined
    ? new ProbeDeath('failed', message, { cause: error })
    : new ConnectFailure('failed', message, { cause: error });
}

const isDirectory = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};
