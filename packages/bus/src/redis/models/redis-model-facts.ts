import { MODEL_FACTS_TTL_MS, type ModelFact, type ModelFacts } from '../../model-facts.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';

/** The facts of all models in one string: they are replaced and read as a whole. */
export function createRedisModelFacts(commands: RedisCommands, keys: Keys): ModelFacts {
  return {
    publish: async (facts) => {
      await commands.run('publish-model-facts', [['set', keys.modelFacts, JSON.stringify(facts), 'PX', MODEL_FACTS_TTL_MS]]);
    },
    read: async () => {
      const [text] = await commands.run('read-model-facts', [['get', keys.modelFacts]]);
      return typeof text === 'string' ? (JSON.parse(text) as ModelFact[]) : [];
    },
  };
}
