import { openLocalPolicy } from '@codelab/client';
import { systemClock, type Clock } from '@codelab/clock';
import { systemShell, workspaceDataDir, type Workspace } from '@codelab/workspace';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Human, type ApproveMode } from './approvals/human.js';
import { buildServer, type ServedParts } from './build-server.js';
import type { ClientSession } from './calls/client-session.js';
import { CallServer } from './calls/serve-call.js';
import { WriteTurns } from './calls/write-turns.js';
import { consoleFolder } from './consoles/console-folder.js';
import type { PromptSource } from './content/prompts.js';
import { offeredTools } from './tools/offered-tools.js';

/** How a workspace is served to other programs. */
export interface ServeOptions {
  readonly workspace: Workspace;
  /** The workspace's id, and its name for people. */
  readonly identity: { readonly id: string; readonly name: string };
  readonly dataDir: string;
  readonly version: string;
  /** How much is asked: a session's `mode`. */
  readonly mode: string;
  readonly approve: ApproveMode;
  /** How long a human may take, in milliseconds. */
  readonly approvalMs: number;
  readonly prompts: PromptSource;
  /** Secrets that are masked whatever their shape: the token of the endpoint. */
  readonly known?: readonly string[];
  readonly clock?: Clock;
  readonly onEnded?: ServedParts['onEnded'];
  readonly onProblem: (message: string) => void;
}

/** A workspace that can be served, over whatever transport. */
export interface ServedWorkspace {
  /** One server for each connection; those of it are one session. */
  readonly connection: (era: ClientSession['era']) => ReturnType<typeof buildServer>;
  /** A server for one request of a program that has no session: 2026-07-28 over HTTP. */
  readonly request: McpServerFactory;
  /** Resolves when no call runs any more. */
  idle(): Promise<void>;
}

/** Makes a workspace ready to be served. */
export function serveWorkspace(options: ServeOptions): ServedWorkspace {
  const { workspace, identity, dataDir, approve, approvalMs, clock = systemClock, onProblem, known = [] } = options;
  const human = new Human({ approve, consoles: consoleFolder(dataDir, workspace.root), timeoutMs: approvalMs, clock });
  const ports = {
    ...options,
    ...{ workspaceId: identity.id, human, clock, known },
    localPolicy: openLocalPolicy({ dataDir, onProblem, posixShell: async () => (await systemShell(workspace.root)).posix }),
    turns: new WriteTurns(join(workspaceDataDir(dataDir, workspace.root), 'mcp-writes'), clock),
  };
  const calls = new CallServer(ports);
  const parts: ServedParts = { ...ports, name: identity.name, calls, tools: offeredTools(workspace.tools) };
  const shared: ClientSession = { id: `mcp_${randomUUID()}`, isOne: false, era: 'modern' };
  return {
    connection: (era) => buildServer(parts, { id: `mcp_${randomUUID()}`, isOne: true, era }),
    request: () => buildServer(parts, shared),
    idle: async () => {
      await calls.idle();
      await workspace.idle();
    },
  };
}
