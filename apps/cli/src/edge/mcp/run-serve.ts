import {
  serveOverHttp,
  serveOverStdio,
  serveWorkspace,
  type ApproveMode,
  type PromptSource,
  type ServedWorkspace,
} from '@codelab/mcp-server';
import { openWorkspace, type Workspace } from '@codelab/workspace';
import { networkInterfaces } from 'node:os';
import { CommandError } from '../../core/command-error.js';
import { modeNamed, type PermissionMode } from '../../core/session/permission-mode.js';
import { CustomCommands } from '../chat/custom-commands.js';
import { readCliConfig } from '../config.js';
import { indexOptions } from '../index/index-options.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { version } from '../version.js';
import { endpointAccess, isLoopback, readAddress, type EndpointAccess } from './endpoint-access.js';

/** The options of `codelab mcp serve`. */
export interface ServeCommandOptions {
  readonly workspace: string;
  /** `[HOST:]PORT`; without, stdin and stdout are the connection. */
  readonly http?: string;
  readonly mode: PermissionMode;
  readonly approve: ApproveMode;
  /** Seconds that a person may take. */
  readonly approvalTimeout: number;
  readonly tokenFile?: string;
  /** Host names by which the endpoint may be called. */
  readonly allowHost: readonly string[];
}

export interface ServeIo {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WritableStream;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
}

/** Serves the tools of a folder to other programs until they, or whoever started it, end that. Throws `CommandError`. */
export async function runServe(options: ServeCommandOptions, io: ServeIo): Promise<void> {
  const config = readCliConfig();
  const { dataDir, configDir } = config;
  const log = (level: 'info' | 'warn', event: string, fields: object = {}): void => {
    if (level === 'info' && config.logLevel !== undefined && !['info', 'debug', 'trace'].includes(config.logLevel)) return;
    io.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), event, ...fields })}\n`);
  };
  const { identity } = await chooseWorkspace(options.workspace, dataDir);
  const workspace = await openWorkspace({ root: identity.root, dataDir, index: indexOptions(config) }).catch((error: Error) => {
    throw new CommandError(error.message, 2, { cause: error });
  });
  const address = options.http === undefined ? undefined : readAddress(options.http);
  const access = address && (await endpointAccess(options.tokenFile, config));
  const onProblem = (message: string): void => log('warn', 'mcp.problem', { message });
  const served = serveWorkspace({
    ...{ workspace, identity, dataDir, version, onProblem, approve: options.approve },
    mode: modeNamed(options.mode),
    approvalMs: options.approvalTimeout * 1_000,
    known: access?.secrets ?? [],
    prompts: promptsOf(workspace, configDir),
    onEnded: (call) => log('info', 'mcp.call', call),
  });
  if (address === undefined || access === undefined) {
    log('info', 'mcp.serving', { workspace: identity.root, transport: 'stdio', mode: options.mode });
    await serveOverStdio(served, io, io.signal, onProblem);
    io.stdin.destroy();
    await workspace.index?.close();
    return;
  }
  await overHttp(served, { ...address, access, allowHost: options.allowHost, onProblem, signal: io.signal }, (event, fields) =>
    log('info', event, { workspace: identity.root, mode: options.mode, ...fields }),
  );
  await workspace.index?.close();
}

interface HttpParts {
  readonly host: string;
  readonly port: number;
  readonly access: EndpointAccess;
  readonly allowHost: readonly string[];
  readonly onProblem: (message: string) => void;
  readonly signal: AbortSignal;
}

async function overHttp(
  served: ServedWorkspace,
  { host, port, access, allowHost, onProblem, signal }: HttpParts,
  log: (event: string, fields: object) => void,
): Promise<void> {
  const { tokenDigests, hint } = access;
  const hosts = [...allowHost, ...namesOf(host)];
  const endpoint = await serveOverHttp({ served, host, port, hosts, tokenDigests, onProblem }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${host}:${String(port)} can't be listened at (${error.code ?? error.message}): choose another port.`, 1, {
      cause: error,
    });
  });
  if (!isLoopback(host)) onProblem('Others can reach this endpoint, and it has no TLS: put a proxy with TLS before it.');
  log('mcp.serving', { transport: 'http', url: endpoint.url, token: hint });
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await endpoint.close();
}

/** The names by which others reach an address that isn't this machine's alone: itself, and for all of them each one. */
function namesOf(host: string): readonly string[] {
  if (isLoopback(host)) return [];
  const all = host === '0.0.0.0' || host === '::' ? Object.values(networkInterfaces()).flatMap((each) => each ?? []) : [];
  return [host, ...all.map(({ address }) => address)].map((name) => (name.includes(':') ? `[${name}]` : name));
}

/** The commands that people wrote, as prompts. */
function promptsOf(workspace: Workspace, configDir: string): PromptSource {
  const commands = new CustomCommands(workspace.facts, configDir);
  return {
    list: () => commands.list(),
    read: async (name, args) => {
      try {
        return (await commands.read(name, args)).text;
      } catch (error) {
        if (error instanceof CommandError) return undefined;
        throw error;
      }
    },
  };
}
