import type { ModelQueue, StepReading } from '../../model-queue.js';
import type { Sid } from '../../session-ref.js';
import { decodeDelta } from './delta-message.js';
import type { ChannelListener } from '../connection/redis-subscriber.js';
import { toFields, toNumber } from '../connection/decode-fields.js';
import { ModelConsumer, type ConsumerParts } from './model-consumer.js';

/** Model requests by streams and consumer groups; the truth is in the records of the steps. */
export function createRedisModelQueue(parts: ConsumerParts): ModelQueue {
  const { scripts, subscriber } = parts;
  const { commands, keys } = scripts;
  const watched = new Map<Sid, ChannelListener>();
  const consumers = new Set<ModelConsumer>();

  const unwatch = (sid: Sid): void => {
    const subscription = watched.get(sid);
    if (subscription !== undefined) subscriber.unsubscribe(keys.session(sid).delta, subscription);
    watched.delete(sid);
  };
  return {
    announce: async (sid, stepId) => {
      await commands.run('announce', [['xadd', keys.models(sid), '*', 'sid', sid, 'step', stepId]]);
    },
    watch: async (sid, listener) => {
      const subscription: ChannelListener = { hear: (message) => listener(decodeDelta(message)) };
      await subscriber.subscribe(keys.session(sid).delta, subscription);
      unwatch(sid);
      watched.set(sid, subscription);
    },
    unwatch: async (sid) => unwatch(sid),
    readStep: async (sid, stepId) => {
      const [reply] = await commands.run('read-step', [['hgetall', keys.session(sid).step(stepId)]]);
      const fields = toFields(reply);
      if (fields['state'] === undefined) return undefined;
      return { state: fields['state'] as StepReading['state'], attempt: toNumber(fields['attempt']), partial: fields['partial'] ?? '' };
    },
    consume: async (serve, options) => {
      const consumer = new ModelConsumer(parts, serve, options);
      consumers.add(consumer);
      return {
        close: async () => {
          if (consumers.delete(consumer)) await consumer.close();
        },
      };
    },
    close: async () => {
      for (const sid of [...watched.keys()]) unwatch(sid);
      await Promise.all([...consumers].map((consumer) => consumer.close()));
      consumers.clear();
    },
  };
}
