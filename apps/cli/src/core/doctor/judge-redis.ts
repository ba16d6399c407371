import type { Finding } from './findings.js';

/** What Redis says about itself. A value that it doesn't tell (managed services hide some) is undefined. */
export interface RedisFacts {
  readonly version: string | undefined;
  readonly appendonly: string | undefined;
  readonly appendfsync: string | undefined;
  readonly maxmemoryPolicy: string | undefined;
}

const OLDEST = 7;
/** From this part of a quota on it is worth a word. */
const NEAR = 0.8;

/** How much is stored, in bytes. */
export interface StoredFacts {
  readonly total: number;
  /** Of the person who stores most. */
  readonly largestOwner: number;
  /** What one person may store; 0: any amount. */
  readonly ownerQuota: number;
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** What is stored, beside what one person may store. */
export function judgeStored({ total, largestOwner, ownerQuota }: StoredFacts): Finding {
  const may = ownerQuota === 0 ? 'any amount' : megabytes(ownerQuota);
  const found = `sessions take ${megabytes(total)}; the largest person ${megabytes(largestOwner)} of ${may}`;
  if (ownerQuota === 0 || largestOwner < NEAR * ownerQuota) return { state: 'right', subject: 'Redis quota', found };
  return { state: 'note', subject: 'Redis quota', found, remedy: 'delete old sessions, or raise CODELAB_QUOTA_OWNER_BYTES' };
}

/** Version, persistence and eviction: each as what it means for a session that is running when Redis dies. */
export function judgeRedis({ version, appendonly, appendfsync, maxmemoryPolicy }: RedisFacts): readonly Finding[] {
  return [judgeVersion(version), judgePersistence(appendonly, appendfsync), judgeEviction(maxmemoryPolicy)];
}

function judgeVersion(version: string | undefined): Finding {
  const subject = 'Redis version';
  if (version === undefined) return { state: 'note', subject, found: 'it does not say' };
  if (Number.parseInt(version, 10) >= OLDEST) return { state: 'right', subject, found: version };
  return { state: 'wrong', subject, found: `${version} is too old`, remedy: 'use Redis 7.0 or newer, or Valkey 8 or newer' };
}

function judgePersistence(appendonly: string | undefined, appendfsync: string | undefined): Finding {
  const subject = 'Redis persistence';
  if (appendonly === undefined)
    return { state: 'note', subject, found: 'it does not say; a setting weaker than appendfsync always can lose what was answered last' };
  if (appendonly !== 'yes') {
    return {
      state: 'note',
      subject,
      found: 'appendonly no: a restart of Redis loses sessions',
      remedy: 'CONFIG SET appendonly yes, and appendfsync always',
    };
  }
  if (appendfsync === 'always') return { state: 'right', subject, found: 'append-only file, written before each answer' };
  return {
    state: 'note',
    subject,
    found: `appendfsync ${appendfsync ?? 'unknown'}: a crash of its machine can lose the last second`,
    remedy: 'CONFIG SET appendfsync always',
  };
}

function judgeEviction(policy: string | undefined): Finding {
  const subject = 'Redis eviction';
  if (policy === undefined) return { state: 'note', subject, found: 'it does not say; it must be noeviction' };
  if (policy === 'noeviction') return { state: 'right', subject, found: policy };
  return {
    state: 'wrong',
    subject,
    found: `${policy} throws sessions away when memory is short`,
    remedy: 'CONFIG SET maxmemory-policy noeviction',
  };
}
