import {
  encodeFrame,
  PROTOCOL_VERSIONS,
  type ClientFrameOf,
  type JournalledCall,
  type SessionMode,
  type WorkspaceInfo,
} from '@codelab/protocol';
import type { Resumption } from './log-position.js';

/** The opt-in frames of this release, and that calls of the servers are shown. */
const CAPABILITIES = [
  ...['agent_switched', 'mode_switched', 'todos_updated', 'queue_updated', 'turn_steered'],
  ...['tool_status', 'tool_output', 'agent_status', 'agent_thought', 'server_calls'],
] as const;

/** Names no log: a client that has only a journal says so, and gets a snapshot. */
const NO_POSITION = { epoch: 'none', seq: 0 } as const;

type Hello = ClientFrameOf<'hello'>;

/** What is the same on every connection of a client. */
export interface LastingIntroduction {
  readonly client: { readonly name: string; readonly version: string };
  readonly executor?: { readonly tools: readonly NonNullable<Hello['tools']>[number][] };
  readonly workspace?: WorkspaceInfo;
  readonly capabilities?: readonly string[];
  readonly vocabulary?: string;
  readonly model?: string;
}

/** How a client introduces itself on this connection. */
export interface Introduction {
  /** Another one than the options' while it only watches. */
  readonly clientId: string;
  /** Whether it executes now. */
  readonly executes: boolean;
  readonly position: Resumption | undefined;
  readonly calls: JournalledCall[];
  /** How much is asked. Beside a position it counts for a session that begins with this `hello` alone. */
  readonly mode: SessionMode | undefined;
  /** The one that was chosen last; absent for none, and on a connection that comes again for one without limits. */
  readonly agent: string | undefined;
  /** Where that is none of the servers: those that files of this machine describe. */
  readonly agents: string[];
}

/** The text of `hello`. */
export function buildHello(
  options: LastingIntroduction,
  { clientId, executes, position, calls, mode, agent, agents }: Introduction,
): string {
  const resume = position === undefined && calls.length === 0 ? undefined : { ...(position ?? NO_POSITION), calls };
  const hello: Hello = {
    type: 'hello',
    protocol_versions: [...PROTOCOL_VERSIONS],
    client_id: clientId,
    client: { ...options.client },
    tools: executes ? [...(options.executor?.tools ?? [])] : [],
    capabilities: [...new Set(options.capabilities ?? CAPABILITIES)],
    workspace: options.workspace,
    resume,
    vocabulary: options.vocabulary,
    model: options.model,
    mode,
    agent,
    agents: executes && agents.length > 0 ? agents : undefined,
  };
  return encodeFrame(hello);
}
