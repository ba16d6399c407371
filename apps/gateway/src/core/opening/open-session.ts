import { SERVER_EXECUTOR, type Joining, type SessionRef } from '@codelab/bus';
import {
  pickProtocolVersion,
  PROTOCOL_VERSIONS,
  refuse,
  type ClientFrameOf,
  type CloseName,
  type JournalledCall,
  type Refusal,
} from '@codelab/protocol';
import { VOCABULARY_CHOICES } from '@codelab/tools';
import { faultOfAgent } from '../handlers/handler.js';
import type { Identity } from '@codelab/auth';
import type { GatewayPorts } from '../gateway-ports.js';
import type { Outbox } from '../outbox/outbox.js';
import { callableTools } from './callable-tools.js';
import { endStranded } from './end-stranded.js';
import { faultOfTools } from './fault-of-tools.js';
import { toCapabilities } from '../delivery/delivery.js';
import { joiningOf, type ReaderOptions } from '../reading/reader-options.js';
import { SessionReader } from '../reading/session-reader.js';
import { isStoreAway, refusalOf } from '../refusals.js';
import type { FoundSession } from '../session/session-hub.js';
import { SEED } from '../session/session-room.js';

type Hello = ClientFrameOf<'hello'>;
type HelloClient = Pick<ReaderOptions, 'tools' | 'workspace'> & { readonly hello: NonNullable<ReaderOptions['hello']> };

/** What both ways to open a session need. */
export interface Opening {
  readonly ports: GatewayPorts;
  readonly outbox: Outbox;
  readonly session: SessionRef;
  readonly connection: string;
  readonly owner: ReaderOptions['owner'];
}

/** Vocabularies of this release. */
const VOCABULARIES: readonly string[] = VOCABULARY_CHOICES;

/** Opens the session for a client that said `hello`; its answer is on its way then. Rejects with `BusError`. */
export async function openForHello(opening: Opening, hello: Hello, identity: Identity): Promise<SessionReader | Refusal> {
  const protocolVersion = pickProtocolVersion(hello.protocol_versions);
  if (protocolVersion === undefined)
    return refuse(
      'UNSUPPORTED_VERSION',
      `hello.protocol_versions: this gateway speaks ${PROTOCOL_VERSIONS.slice(0, -1).join(', ')} and ${PROTOCOL_VERSIONS.at(-1)!}`,
    );
  const tools = { text: JSON.stringify(hello.tools ?? []), protocolVersion, callable: callableTools(hello.tools ?? [], protocolVersion) };
  const fault = faultOf(hello, tools.text);
  if (fault !== undefined) return refuse('INVALID_FIELD', `hello.${fault}`);
  const unknown =
    hello.agent === undefined ? undefined : await faultOfAgent(opening.ports.store, opening.session, hello.agent, hello.agents);
  if (unknown !== undefined) return refuse('INVALID_FIELD', `hello.agent: ${unknown}`);
  if (hello.mode !== undefined && !identity.scopes.includes('approve')) {
    return refuse('FORBIDDEN', 'hello.mode: this token lacks the scope approve, so it may not say how much is asked');
  }
  const client: HelloClient = {
    hello: { clientId: hello.client_id, protocolVersion, capabilities: toCapabilities(hello.capabilities ?? []) },
    tools: hello.tools?.length ? tools : undefined,
    workspace: hello.workspace && JSON.stringify(hello.workspace),
  };
  const { own, over } = await sortCalls(opening, hello.resume?.calls ?? []);
  const found = await join(opening, toJoining(hello, client, own));
  if (found === undefined) return refuse('SESSION_NOT_FOUND', 'the session is being deleted: try again');
  if (client.tools !== undefined) await endStranded(opening.ports, found.meta, { clientId: hello.client_id, calls: hello.resume?.calls });
  const reader = await SessionReader.open(opening.ports, opening.outbox, found, hello.resume, {
    connection: opening.connection,
    ...client,
    owner: opening.owner,
  });
  reader.tellOver(over);
  return reader;
}

/**
 * What the journal of a client knows, without calls of programs: those are nothing that its own session lacks. Of them that are over the ones
 * that the client has not ended.
 */
async function sortCalls({ ports, session }: Opening, calls: readonly JournalledCall[]) {
  const ofChildren = await ports.children.findCalls(
    session,
    calls.map(({ call_id }) => call_id),
  );
  const isOver = ({ call_id, state }: JournalledCall): boolean =>
    ofChildren.get(call_id)?.isOpen === false && (state === 'received' || state === 'started');
  return { own: calls.filter(({ call_id }) => !ofChildren.has(call_id)), over: calls.filter(isOver).map(({ call_id }) => call_id) };
}

/** Opens the session for a client that knows the seed alone. Rejects with `BusError`. */
export async function openForSeed(opening: Opening): Promise<SessionReader | Refusal> {
  const found = await join(opening, { protocolVersion: '1.0' });
  if (found === undefined) return refuse('SESSION_NOT_FOUND', 'the session is being deleted: try again');
  const { connection, owner } = opening;
  return SessionReader.open(opening.ports, opening.outbox, found, undefined, { connection, owner });
}

const join = ({ ports, session }: Opening, joining: Joining): Promise<FoundSession | undefined> =>
  ports.hub.find(session, ports.store.join(session, joining, { create: true }));

function faultOf(hello: Hello, tools: string): string | undefined {
  const fault = faultOfTools(hello.tools ?? [], tools);
  if (fault !== undefined) return fault;
  if (hello.client_id === SEED || hello.client_id.startsWith(`${SEED}:`) || hello.client_id === SERVER_EXECUTOR)
    return 'client_id: this name is reserved, use a UUID';
  if (hello.vocabulary !== undefined && !VOCABULARIES.includes(hello.vocabulary)) {
    return `vocabulary: there is no vocabulary of this name; the vocabularies are ${VOCABULARIES.join(', ')}`;
  }
  return undefined;
}

function toJoining(hello: Hello, client: HelloClient, calls: readonly JournalledCall[]): Joining {
  const { model, agent, mode, vocabulary, capabilities = [], resume } = hello;
  const { clientId, protocolVersion } = client.hello;
  return {
    ...(joiningOf(client) ?? { clientId, protocolVersion }),
    ...{ capabilities: [...toCapabilities(capabilities)].join(' '), model, agent, mode, vocabulary },
    journal: resume?.calls && JSON.stringify(calls),
    seen: resume,
  };
}

/** One of the ways to open a session. */
export type Open = (opening: Opening) => Promise<SessionReader | Refusal>;

/** What came of opening a session. `close`: the connection ends after the refusal. */
export type Opened =
  | { readonly kind: 'opened'; readonly reader: SessionReader }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly close?: CloseName };

/** Opens a session when it is its turn. Rejects only with a fault of ours. */
export async function tryOpen(opening: Opening, open: Open): Promise<Opened> {
  try {
    const reader = await opening.ports.openings.runExclusive(() => open(opening));
    if (!('ok' in reader)) return { kind: 'opened', reader };
    return { kind: 'refused', refusal: reader, close: reader.code === 'UNSUPPORTED_VERSION' ? 'VERSION' : undefined };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return { kind: 'refused', refusal, close: isStoreAway(error) ? 'REDIS_AWAY' : undefined };
  }
}
