import type { IndexStore } from '../store/index-store.js';
import { toBytes } from './embeddings.js';

/** The chunks whose meaning is nearest to a vector, nearest first. */
export function nearest(store: IndexStore, vector: readonly number[], limit: number): readonly number[] {
  const wanted = toBytes(vector);
  const found: { readonly chunk: number; readonly near: number }[] = [];
  for (const { chunk, vector: other } of store.vectors()) {
    if (other.length !== wanted.length) continue;
    let [product, square] = [0, 0];
    for (let at = 0; at < other.length; at += 1) {
      const value = other[at]!;
      product += value * wanted[at]!;
      square += value * value;
    }
    found.push({ chunk, near: product / (Math.sqrt(square) || 1) });
    if (found.length > 8 * limit) keepBest(found, limit);
  }
  keepBest(found, limit);
  return found.map(({ chunk }) => chunk);
}

const keepBest = (found: { readonly chunk: number; readonly near: number }[], limit: number): void => {
  found.sort((one, other) => other.near - one.near || one.chunk - other.chunk);
  found.length = Math.min(found.length, limit);
};
