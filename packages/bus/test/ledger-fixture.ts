import { afterAll, afterEach, beforeAll } from 'vitest';
import { eventually, startRedis, type TestRedis } from '@codelab/testkit';
import type { UsageCounts } from '../src/accounts/ledger.js';
import type { Owner } from '../src/session-ref.js';
import { silentLogger } from '../src/redis/connection/bus-logger.js';
import { createKeys } from '../src/redis/keys/keys.js';
import { RedisCommands } from '../src/redis/connection/redis-commands.js';
import { RedisLedger, type LedgerTimes } from '../src/redis/accounts/redis-ledger.js';
import { RedisToolCallLog } from '../src/redis/accounts/redis-tool-call-log.js';

/** A process that counts, as far as Redis knows. */
export interface Replica {
  readonly commands: RedisCommands;
  readonly ledger: RedisLedger;
  readonly log: RedisToolCallLog;
  /** Gone as if killed: nothing is stored or given back any more. */
  die(): Promise<void>;
}

export interface LedgerFixture {
  readonly redis: TestRedis;
  readonly keys: ReturnType<typeof createKeys>;
  replica(times?: Partial<LedgerTimes>): Promise<Replica>;
  /** Somebody whom no other test knows. */
  person(): Owner;
}

/** A Redis that is a cluster of one node, so that a script that leaves its slot fails; replicas end with their test. */
export function useLedgers(): LedgerFixture {
  let redis: TestRedis | undefined;
  let people = 0;
  const opened: Replica[] = [];
  const keys = createKeys();
  beforeAll(async () => {
    redis = await startRedis({ cluster: true, snapshot: true });
  });
  afterEach(async () => {
    for (const { ledger, log, commands } of opened.splice(0)) {
      await Promise.all([ledger.close(), log.close()]);
      await commands.close();
    }
  });
  afterAll(() => redis?.close());
  const fixture: LedgerFixture = {
    get redis() {
      if (redis === undefined) throw new Error('Redis starts in beforeAll');
      return redis;
    },
    keys,
    replica: async (times = {}) => {
      const commands = new RedisCommands({ url: fixture.redis.url, keys, logger: silentLogger });
      const parts = { commands, keys, logger: silentLogger };
      const [ledger, log] = [new RedisLedger(parts, { flushMs: 5, ...times }), new RedisToolCallLog(parts, { flushMs: 5 })];
      const replica: Replica = {
        ...{ commands, ledger, log },
        die: async () => {
          opened.splice(opened.indexOf(replica), 1);
          commands.redis.disconnect();
          await Promise.all([ledger.close(), log.close()]);
        },
      };
      opened.push(replica);
      await eventually('the connection', () => commands.status() === 'ready');
      return replica;
    },
    person: () => ({ tenant: 'acme', sub: `person-${String((people += 1))}` }),
  };
  return fixture;
}

/** What one request came to. */
export const counts = (some: Partial<UsageCounts> = {}): UsageCounts => ({
  ...{ requests: 1, estimatedRequests: 0, inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 },
  ...{ outputTokens: 0, reasoningTokens: 0, costUsd: 0, ...some },
});
