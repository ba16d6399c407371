import { QuotaError, type QuotaLimits } from '../../accounts/quota-error.js';
import { ownerHash, type Owner } from '../../session-ref.js';
import { SUM_AGE_MS } from '../limits.js';
import type { StoredBytes } from './stored-bytes.js';

/** Owners whose sums are remembered; the oldest goes. */
const MAX_REMEMBERED = 10_000;
/** From this part of a quota on a sum is read anew before it is judged by. */
const NEAR = 0.8;

interface Sums {
  readonly owner: number;
  readonly tenant: number;
  readonly readAtMs: number;
  /** What this process has let in since. */
  admitted: number;
}

/**
 * Judges whether somebody may store more, without a round trip on most ways: by sums that are at most a second old, and by what this process has let in
 * since. Several processes together may let in a second's worth too much.
 */
export class Quotas {
  private readonly remembered = new Map<string, Sums>();

  constructor(
    private readonly stored: Pick<StoredBytes, 'sums'>,
    private readonly limits: QuotaLimits,
  ) {}

  /** Lets `bytes` in. Throws `QuotaError`, and `BusError` where nothing is known yet. */
  async admit(owner: Owner, bytes: number): Promise<void> {
    const { ownerBytes, tenantBytes } = this.limits;
    if (ownerBytes === 0 && tenantBytes === 0) return;
    const sums = await this.read(owner, bytes);
    const own = sums.owner + sums.admitted;
    if (ownerBytes > 0 && own + bytes > ownerBytes) throw new QuotaError('owner', own, ownerBytes);
    const all = sums.tenant + sums.admitted;
    if (tenantBytes > 0 && all + bytes > tenantBytes) throw new QuotaError('tenant', all, tenantBytes);
    sums.admitted += bytes;
  }

  /** Something of a person was removed: the next judgement reads anew. */
  forget(owner: Owner): void {
    this.remembered.delete(ownerHash(owner));
  }

  private async read(owner: Owner, bytes: number): Promise<Sums> {
    const name = ownerHash(owner);
    const known = this.remembered.get(name);
    const age = known === undefined ? Infinity : performance.now() - known.readAtMs;
    if (known !== undefined && (age < SUM_AGE_MS || !this.isNear(known, bytes))) {
      if (age >= SUM_AGE_MS) void this.readAnew(name, owner).catch(() => undefined); // for the next one
      return known;
    }
    return this.readAnew(name, owner);
  }

  private isNear({ owner, tenant, admitted }: Sums, bytes: number): boolean {
    const { ownerBytes, tenantBytes } = this.limits;
    const isOver = (sum: number, limit: number): boolean => limit > 0 && sum + admitted + bytes > NEAR * limit;
    return isOver(owner, ownerBytes) || isOver(tenant, tenantBytes);
  }

  private async readAnew(name: string, owner: Owner): Promise<Sums> {
    const [own, tenant] = await this.stored.sums(owner);
    const sums: Sums = { owner: own, tenant, readAtMs: performance.now(), admitted: 0 };
    this.remembered.delete(name);
    this.remembered.set(name, sums);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > MAX_REMEMBERED && oldest !== undefined) this.remembered.delete(oldest);
    return sums;
  }
}
