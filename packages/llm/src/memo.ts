/**
 * What was made of an object, as long as it would be made of the same things again. For what is asked of the same objects over and over, as of
 * the earlier messages of a conversation: they never change. Nothing is kept longer than its object.
 */
export class Memo<Key extends object, Value> {
  private readonly made = new WeakMap<Key, { readonly of: readonly unknown[]; readonly value: Value }>();

  /** @param of everything that the value depends on beside the object, compared by identity */
  get(key: Key, of: readonly unknown[], make: () => Value): Value {
    const known = this.made.get(key);
    if (known !== undefined && isSame(known.of, of)) return known.value;
    const value = make();
    this.made.set(key, { of, value });
    return value;
  }
}

/** Whether two lists hold the same things in the same order. */
export function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let place = 0; place < one.length; place += 1) if (one[place] !== other[place]) return false; // `every` is slower
  return true;
}
