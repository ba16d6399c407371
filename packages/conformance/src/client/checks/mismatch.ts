import type { ClientStage } from '../client-stage.js';
import type { OfferedCall } from '../offered-call.js';
import { demandError } from '../scripted-session.js';

/** The client decides about a write of `a.txt`; then something comes in between. */
export interface Mismatch {
  /** What `a.txt` holds before; without, there is none. */
  readonly before?: string;
  /** What it holds when the decision is told; without, it stays. */
  readonly meanwhile?: string;
  /** What the decision is told to have been, if not to run what was asked. */
  readonly told?: { readonly args?: object; readonly digest: string };
  /** `false`: the result stays without acknowledgement. */
  readonly ack?: boolean;
}

/** Fails unless the call then ends with `APPROVAL_MISMATCH` and `a.txt` is left alone. */
export async function demandMismatch(stage: ClientStage, { before, meanwhile, told, ack = true }: Mismatch): Promise<OfferedCall> {
  await stage.begin(['write_file']);
  if (before !== undefined) await stage.write('a.txt', before);
  const { session } = stage;
  const call = session.offer('write_file', { args: { path: 'a.txt', content: 'mine\n' }, asked: true });
  await session.decision(call);
  if (meanwhile !== undefined) await stage.write('a.txt', meanwhile);
  session.resolve(call, told?.args === undefined ? 'approved' : 'edited', told);
  demandError(await session.result(call, { ack }), 'APPROVAL_MISMATCH');
  await stage.holds('a.txt', meanwhile ?? before, 'the call was run, although it was not what was decided on');
  return call;
}
