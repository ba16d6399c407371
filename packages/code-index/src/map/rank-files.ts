import { setImmediate } from 'node:timers/promises';
import type { IndexStore } from '../store/index-store.js';
import { hashName } from '../text/identifiers.js';

/** A name that more files define says nothing of which of them is meant. */
const MAX_DEFINERS = 4;
const ROUNDS = 15;
const DAMPING = 0.85;
const MIN_NAME = 4;

/**
 * How much each file is referred to by others, by the rank of those (PageRank): an identifier in one file that another defines is a
 * reference. The mean is 1.
 */
export async function rankFiles(store: IndexStore, signal: AbortSignal): Promise<ReadonlyMap<number, number>> {
  const breathe = async (): Promise<void> => {
    await setImmediate();
    signal.throwIfAborted();
  };
  const position = new Map<number, number>();
  const definers = new Map<number, number[]>();
  for (const page of store.pages()) {
    for (const { id, names } of page) {
      const at = position.size;
      position.set(id, at);
      for (const name of new Set(names)) {
        if (name.length < MIN_NAME) continue;
        const hash = hashName(name);
        const found = definers.get(hash);
        if (found === undefined) definers.set(hash, [at]);
        else if (found.length <= MAX_DEFINERS) found.push(at);
      }
    }
    await breathe();
  }
  const edges: Uint32Array[] = Array.from({ length: position.size });
  for (const page of store.pages()) {
    for (const { id, references } of page) {
      const at = position.get(id);
      if (at === undefined) continue;
      const targets = new Set<number>();
      for (const hash of references) {
        const found = definers.get(hash);
        if (found !== undefined && found.length <= MAX_DEFINERS) for (const each of found) if (each !== at) targets.add(each);
      }
      edges[at] = Uint32Array.from(targets);
    }
    await breathe();
  }
  const count = position.size;
  let rank = new Float64Array(count).fill(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(count).fill(1 - DAMPING);
    let loose = 0;
    for (let at = 0; at < count; at += 1) {
      const targets = edges[at];
      if (targets === undefined || targets.length === 0) loose += rank[at]!;
      else for (const target of targets) next[target]! += (DAMPING * rank[at]!) / targets.length;
    }
    const share = (DAMPING * loose) / Math.max(1, count);
    for (let at = 0; at < count; at += 1) next[at]! += share;
    rank = next;
    await breathe();
  }
  return new Map([...position].map(([id, at]) => [id, Math.round(rank[at]! * 1e4) / 1e4]));
}
