import type { Owner } from '@codelab/bus';
import type { KeyEntry } from '../models/models-file.js';

/** Owners whose entry is remembered. */
const MAX_REMEMBERED = 10_000;

/** What the models file says of each key: `tenant/sub` before `tenant/*` before `*`. Looked up once for each owner. */
export class KeyEntries {
  private readonly found = new Map<string, KeyEntry | undefined>();

  /** @param keys `keys` of the models file */
  constructor(private readonly keys: Readonly<Record<string, KeyEntry>>) {}

  /** The most specific entry for an owner; `undefined`: it may do everything. */
  of({ tenant, sub }: Owner): KeyEntry | undefined {
    const name = `${tenant}/${sub}`;
    const known = this.found.get(name);
    if (known !== undefined || this.found.has(name)) return known;
    const entry = [name, `${tenant}/*`, '*'].map((key) => (Object.hasOwn(this.keys, key) ? this.keys[key] : undefined)).find(Boolean);
    if (this.found.size >= MAX_REMEMBERED) this.found.clear();
    this.found.set(name, entry);
    return entry;
  }
}
