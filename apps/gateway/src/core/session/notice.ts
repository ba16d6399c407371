import { encodeFrame } from '@codelab/protocol';

/**
 * What gateways tell each other about a session, on the channel that carries its frames. No client ever sees one. Notices are hints: a lost
 * one costs a courtesy (an older connection of a client goes on getting its calls), never a promise; who may answer a call is the store's to
 * say.
 */
export type Notice =
  /** A connection that executes tools joined; calls of its client go to it now. */
  | { readonly kind: 'joined'; readonly client: string; readonly connection: string }
  | { readonly kind: 'left'; readonly client: string; readonly connection: string };

/** The `type` under which notices travel; it is no frame of the protocol. */
export const NOTICE = 'gateway_notice';

export const encodeNotice = (notice: Notice): string => encodeFrame({ type: NOTICE, ...notice });

export const decodeNotice = (text: string): Notice => JSON.parse(text) as Notice;
