import { CLIENT_FRAMES, refuse, type ClientFrame, type Refusal } from '@codelab/protocol';

export const UNAVAILABLE = refuse('UNAVAILABLE', 'a part of the service is away: nothing was stored; send it again');

/** A fault of ours; whoever says it logs it. */
export const INTERNAL = refuse('INTERNAL', 'a fault of this service; it is logged here');

/** A refusal of a frame of this type. */
export const about = (type: ClientFrame['type'] | undefined, refusal: Refusal): Refusal =>
  type === undefined ? refusal : { ...refusal, replyToType: type };

/** What a client may know of an error while its frame was handled: a quota, the absence of the store. `undefined`: it is a fault. */
export function refusalOf(error: unknown, frame?: ClientFrame): Refusal | undefined {
  const replyTo = frame && idOf(frame);
  return refuseForQuota(error, replyTo) ?? (isStoreAway(error) ? { ...UNAVAILABLE, replyTo } : undefined);
}

/** The id that an answer to the frame repeats. */
export function idOf(frame: ClientFrame): string | undefined {
  const { id }: { readonly id?: string } = CLIENT_FRAMES[frame.type];
  const value: unknown = id === undefined ? undefined : Reflect.get(frame, id);
  return typeof value === 'string' ? value : undefined;
}

/** Whether an error says that the store is away, so that nothing was promised. By name: the class may come from another copy of the package. */
export const isStoreAway = (error: unknown): boolean => error instanceof Error && error.name === 'BusError';

/** What a client is told of a `QuotaError`; nothing of any other error. By name: the class may come from another copy of the package. */
export const refuseForQuota = (error: unknown, replyTo?: string): Refusal | undefined =>
  error instanceof Error && error.name === 'QuotaError' ? refuse('QUOTA', error.message, replyTo) : undefined;
