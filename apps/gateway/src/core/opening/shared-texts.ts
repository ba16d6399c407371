/**
 * One copy of a text for all who hold it: most clients of a release name the same tools. It is gone with its last holder, so nothing that a
 * client sent outlives the connections that sent it (G4).
 */
export class SharedTexts {
  private readonly holders = new Map<string, { readonly text: string; count: number }>();

  /** The copy to keep in place of `text`. Call `release` once for each call. */
  hold(text: string): string {
    const held = this.holders.get(text) ?? { text, count: 0 };
    held.count += 1;
    this.holders.set(held.text, held);
    return held.text;
  }

  release(text: string): void {
    const held = this.holders.get(text);
    if (held === undefined) return;
    held.count -= 1;
    if (held.count === 0) this.holders.delete(text);
  }

  /** Different texts that somebody holds. */
  get size(): number {
    return this.holders.size;
  }
}
