import { about, type Frame } from '../../wire/frame.js';
import type { ClientStage } from '../client-stage.js';
import type { OfferedCall } from '../offered-call.js';

/** Appends a line to `ran.txt`, then waits until `hold` is gone. */
const HELD = 'echo ran >> ran.txt; while [ -e hold ]; do sleep 0.05; done';

/** `tool_ack started` of a call. */
export const startedOf =
  (callId: string) =>
  (frame: Frame): boolean =>
    about('tool_ack', callId)(frame) && frame['state'] === 'started';

/** Lets the client begin a command that runs until `hold` is removed. `then`: what it does behind that. */
export async function beginHeld(
  stage: ClientStage,
  { then = '', deadlineMs }: { readonly then?: string; readonly deadlineMs?: number } = {},
): Promise<OfferedCall> {
  await stage.begin(['run_command']);
  await stage.write('hold', '');
  const { session } = stage;
  const call = session.offer('run_command', { args: { command: `${HELD}${then}` }, asked: true, deadlineMs });
  await session.approve(call);
  await session.peer.next('tool_ack started of the command', startedOf(call.id));
  return call;
}

/** The same, with an approved write of `a.txt` that has to wait for it. */
export async function beginHeldBefore(stage: ClientStage): Promise<readonly [command: OfferedCall, write: OfferedCall]> {
  const command = await beginHeld(stage);
  stage.needs(['write_file']);
  const write = stage.session.offer('write_file', { args: { path: 'a.txt', content: 'x' }, asked: true });
  await stage.session.approve(write);
  return [command, write];
}
