import type { SessionRef, SessionWorkspace } from '@codelab/bus';
import { refuse, type ClientFrameOf, type ClientFrameType, type Refusal } from '@codelab/protocol';
import { AGENTS, isAgent, isUserAgentName, readKnowledge } from '@codelab/tools';
import type { Caller } from '../caller.js';
import type { GatewayPorts } from '../gateway-ports.js';
import type { Outcome } from './outcome.js';

/** Frames about a session. The others are about the connection: who is there, how far it has read. */
export type SessionFrameType = Exclude<ClientFrameType, 'auth' | 'hello' | 'ack'>;

/** What handlers need of the world. */
export type HandlerPorts = Pick<GatewayPorts, 'store' | 'rules' | 'children' | 'clock' | 'storeClock' | 'logger' | 'masks'>;

/** Does what one kind of frame asks for. */
export type Handler<Type extends SessionFrameType> = (frame: ClientFrameOf<Type>, caller: Caller) => Promise<Outcome>;

/** One handler for each frame about a session; nothing compiles without. */
export type Handlers = { readonly [Type in SessionFrameType]: Handler<Type> };

/**
 * Why a name is not one of an agent of the session: a mode, or one that its people describe in a file; `undefined` if it is.
 * @param announced names of agents that the client has and is about to describe
 */
export async function faultOfAgent(
  store: Pick<SessionWorkspace, 'readFacts'>,
  session: SessionRef,
  name: string,
  announced: readonly string[] = [],
): Promise<string | undefined> {
  if (isAgent(name)) return undefined;
  const { agents } = readKnowledge((await store.readFacts(session)).latest);
  const own = new Set([...agents.map((agent) => agent.name), ...announced.filter(isUserAgentName)]);
  if (own.has(name)) return undefined;
  return `there is no agent of this name; the agents are ${[...AGENTS.map((agent) => agent.name), ...own].join(', ')}`;
}

/** Why the store takes no evidence about a call: it comes from somebody else than the executor, or the call is over. */
export const refuseEvidence = ({ isExecutor }: Caller, callId: string): Refusal =>
  isExecutor
    ? refuse('UNKNOWN_CALL', 'no open call of this session has this call_id and fence', callId)
    : refuse('FORBIDDEN', 'only the executor of the call may say this', callId);
