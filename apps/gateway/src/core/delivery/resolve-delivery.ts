import type { SessionRef, SessionCalls } from '@codelab/bus';
import type { Delivery } from './delivery.js';
import { answerLacking, deliverDecision, type Receiver } from './give-calls.js';

/** Does what a delivery asks of the store before it is written, and answers the text to write, if there is one. */
export async function resolveDelivery(
  store: SessionCalls,
  ref: SessionRef,
  receiver: Receiver,
  delivery: Delivery,
): Promise<string | undefined> {
  switch (delivery.kind) {
    case 'skip':
      return undefined;
    case 'send':
      return delivery.text;
    case 'give': {
      const { callId, fence, text } = delivery;
      return (await store.giveCall(ref, { callId, fence, to: receiver.name })) ? text : undefined;
    }
    case 'lacking':
      if (delivery.isReady) await answerLacking(store, ref, receiver, delivery);
      return undefined;
    case 'decided':
      return deliverDecision(store, ref, receiver, delivery);
  }
}
