import { ownerHash, tenantHash, type Owner, type SessionRef, type Sid } from '../../session-ref.js';
import type { Storage } from '../../accounts/storage-use.js';
import type { BusLogger } from '../connection/bus-logger.js';
import type { Keys } from '../keys/keys.js';
import { RECOUNT_MS, WEIGH_MS } from '../limits.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';

/** Sessions, or owners, of one round trip. */
const PAGE = 200;

/** What the counting of stored bytes works with. */
export interface StoredBytesParts {
  readonly commands: RedisCommands;
  readonly keys: Keys;
  readonly logger: BusLogger;
}

/** An owner by the hashes of its names. */
interface Weighed {
  readonly tenant: string;
  readonly owner: string;
  readonly sid: Sid;
}

const weighedOf = ({ owner, sid }: SessionRef): Weighed => ({ tenant: tenantHash(owner.tenant), owner: ownerHash(owner), sid });

const pagesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / PAGE) }, (_, page) => items.slice(page * PAGE, (page + 1) * PAGE));

/** The parts of each whole with their bytes, as `weighParts` takes them. */
function byWhole(sizes: readonly (readonly [whole: string, part: string, bytes: number])[]): Map<string, (string | number)[]> {
  const wholes = new Map<string, (string | number)[]>();
  for (const [whole, part, bytes] of sizes) {
    const parts = wholes.get(whole) ?? [];
    parts.push(part, bytes);
    wholes.set(whole, parts);
  }
  return wholes;
}

/**
 * Adds up what sessions take: session → person → tenant → all, each level in a slot of its own. Each script of a session keeps the session's own
 * size exactly; the sums above follow within half a second, and are mended by the next write or the recount, since only absolute sizes travel.
 */
export class StoredBytes implements Storage {
  private readonly dirty = new Map<Sid, Weighed>();
  private readonly sweep: NodeJS.Timeout;
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  constructor(private readonly parts: StoredBytesParts) {
    this.sweep = setInterval(() => void this.recountInTurn(), RECOUNT_MS);
    this.sweep.unref();
  }

  /** Something of the session was written or removed. */
  note(ref: SessionRef): void {
    if (!this.dirty.has(ref.sid)) this.dirty.set(ref.sid, weighedOf(ref));
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => void this.flush().catch(() => undefined), WEIGH_MS); // away: counted at the next write or recount
    this.timer.unref();
  }

  /** Counts what was noted until now. Throws `BusError`. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const noted = [...this.dirty.values()];
    this.dirty.clear();
    this.flushing = this.flushing.catch(() => undefined).then(() => this.weigh(noted));
    return this.flushing;
  }

  /** What a person and their tenant store. */
  async sums(owner: Owner): Promise<readonly [owner: number, tenant: number]> {
    const { commands, keys } = this.parts;
    const [own, all] = await commands.runEach('read-stored', [
      ['hget', keys.storedOf(ownerHash(owner)), 'sum'],
      ['hget', keys.storedOfTenant(tenantHash(owner.tenant)), 'sum'],
    ]);
    return [Number(own ?? 0), Number(all ?? 0)];
  }

  async use(): Promise<{ readonly totalBytes: number; readonly largestOwnerBytes: number }> {
    const { commands, keys } = this.parts;
    const [total, largest] = await commands.runEach('read-stored', [
      ['hget', keys.storedByTenant, 'sum'],
      ['zrevrange', keys.storedByOwner, 0, 0, 'WITHSCORES'],
    ]);
    return { totalBytes: Number(total ?? 0), largestOwnerBytes: Number((largest as string[])[1] ?? 0) };
  }

  /** Counts a person's sessions anew. */
  async recountOwner(owner: Owner): Promise<void> {
    await this.recountOne(tenantHash(owner.tenant), ownerHash(owner));
  }

  async recount(): Promise<void> {
    const { commands, keys } = this.parts;
    let cursor = '0';
    do {
      const [reply] = await commands.run('recount', [['zscan', keys.storedByOwner, cursor, 'COUNT', PAGE]]);
      const [next, flat] = reply as [string, string[]];
      for (let at = 0; at < flat.length; at += 2) {
        const [tenant = '', owner = ''] = (flat[at] ?? '').split(':');
        await this.recountOne(tenant, owner);
      }
      cursor = next;
    } while (cursor !== '0');
  }

  close(): Promise<void> {
    clearInterval(this.sweep);
    return this.flush().catch(() => undefined); // what is not counted now is at the next write
  }

  private async recountInTurn(): Promise<void> {
    const { commands, keys, logger } = this.parts;
    try {
      const [mine] = await commands.run('recount', [['set', keys.recount, '', 'NX', 'PX', RECOUNT_MS - 1_000]]);
      if (mine === 'OK') await this.recount();
    } catch (error) {
      logger.warn({ event: 'stored.recount_failed', message: String(error) });
    }
  }

  private async recountOne(tenant: string, owner: string): Promise<void> {
    const { commands, keys } = this.parts;
    const [names] = await commands.run('recount', [['hkeys', keys.storedOf(owner)]]);
    const sids = (names as string[]).filter((name) => name !== 'sum') as Sid[];
    if (sids.length === 0) await this.add([{ tenant, owner, sum: 0 }]);
    await this.weigh(sids.map((sid) => ({ tenant, owner, sid })));
  }

  private async weigh(noted: readonly Weighed[]): Promise<void> {
    const { commands, keys } = this.parts;
    for (const page of pagesOf(noted)) {
      const sizes = await commands.runEach(
        'weigh',
        page.map(({ sid }): Command => ['hget', keys.session(sid).meta, 'stored']),
      );
      const parts = byWhole(page.map(({ owner, sid }, place) => [owner, sid, Number(sizes[place] ?? 0)]));
      const sums = await this.weighWholes(parts, (owner) => keys.storedOf(owner));
      const tenants = new Map(page.map(({ tenant, owner }) => [owner, tenant]));
      await this.add([...parts.keys()].map((owner, place) => ({ tenant: tenants.get(owner) ?? '', owner, sum: Number(sums[place]) })));
    }
  }

  /** The sums of persons go into those of their tenants, and these into that of all. */
  private async add(persons: readonly { readonly tenant: string; readonly owner: string; readonly sum: number }[]): Promise<void> {
    const { commands, keys } = this.parts;
    const parts = byWhole(persons.map(({ tenant, owner, sum }) => [tenant, owner, sum]));
    const sums = await this.weighWholes(parts, (tenant) => keys.storedOfTenant(tenant));
    await commands.runEach('weigh', [
      ['weighParts', keys.storedByTenant, ...[...parts.keys()].flatMap((tenant, place) => [tenant, String(sums[place])])],
      ...persons.map(({ tenant, owner, sum }): Command =>
        sum === 0 ? ['zrem', keys.storedByOwner, `${tenant}:${owner}`] : ['zadd', keys.storedByOwner, sum, `${tenant}:${owner}`],
      ),
    ]);
  }

  /** Answers the sum of each whole. */
  private weighWholes(wholes: ReadonlyMap<string, readonly (string | number)[]>, keyOf: (whole: string) => string): Promise<unknown[]> {
    return this.parts.commands.runEach(
      'weigh',
      [...wholes].map(([whole, parts]): Command => ['weighParts', keyOf(whole), ...parts]),
    );
  }
}
