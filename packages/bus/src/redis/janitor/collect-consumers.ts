import type { RedisCommands } from '../connection/redis-commands.js';
import type { Tally } from './tally.js';

/** The group of the proxies. */
const GROUP = 'proxies';
/** A living consumer asks every two seconds. */
const GONE_MS = 60 * 60_000;

const valueOf = (flat: readonly (string | number)[], name: string): string => String(flat[flat.indexOf(name) + 1] ?? '');

/** Takes consumers out of a stream of model requests that are gone and hold nothing: each process brought a name of its own. */
export async function collectConsumers(commands: RedisCommands, stream: string, tally: Tally): Promise<void> {
  const [found] = await commands.run('janitor-consumers', [['xinfo', 'CONSUMERS', stream, GROUP]]).catch(() => [[]]); // no proxy has come yet
  const gone = (found as (string | number)[][]).filter(
    (consumer) => Number(valueOf(consumer, 'pending')) === 0 && Number(valueOf(consumer, 'idle')) > GONE_MS,
  );
  for (const consumer of gone) {
    await commands.run('janitor-consumers', [['xgroup', 'DELCONSUMER', stream, GROUP, valueOf(consumer, 'name')]]);
    tally.consumers += 1;
  }
}
