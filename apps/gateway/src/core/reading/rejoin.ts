import type { GatewayPorts } from '../gateway-ports.js';
import type { SessionRoom } from '../session/session-room.js';
import { joiningOf, type ReaderOptions } from './reader-options.js';

/**
 * Names the tools of a client again, as the executor's; in the place of `succeeds`, which is gone, if the store agrees. Nobody succeeds an
 * executor that may still run a call, of the session or of a child (R2). Rejects with `BusError`.
 */
export async function rejoin(ports: GatewayPorts, room: SessionRoom, options: ReaderOptions, succeeds: string | undefined): Promise<void> {
  const joining = joiningOf(options);
  if (joining === undefined) return;
  if (succeeds !== undefined && succeeds === room.executor && (await runsForChildren(ports, room, succeeds))) return;
  await room.believe(ports.store.join(room.ref, { ...joining, succeeds }, { create: false }), ({ executor }) => executor);
}

async function runsForChildren({ store }: GatewayPorts, { children }: SessionRoom, executor: string): Promise<boolean> {
  const calls = await Promise.all(children.map(({ sid }) => store.readCalls(sid)));
  return calls.flat().some(({ state, givenTo }) => state === 'ready' && givenTo === executor);
}
