import type { NameEffects } from '../backups/name-effects.js';

/** Where what had a path before some calls is now. */
type Whereabouts =
  | { readonly kind: 'workspace'; readonly path: string }
  | { readonly kind: 'trash'; readonly trash: string; readonly rest: string }
  | { readonly kind: 'nowhere' }
  /** Something that cannot be undone stands between. */
  | { readonly kind: 'stuck' };

const NOWHERE = { kind: 'nowhere' } as const;

/** What a path has below another one: `''` for the same, nothing if it is not below. */
const restOf = (path: string, top: string): string | undefined =>
  path === top ? '' : path.startsWith(`${top}/`) ? path.slice(top.length) : undefined;

/** Follows paths through what later calls did to names, so that a plan can tell what undoing those would bring back. */
export class PathHistory {
  /** Oldest first. */
  private readonly later: { readonly effects: NameEffects; readonly stuck: boolean }[] = [];

  /** Takes in what an earlier call than all others so far did. */
  before(effects: NameEffects, stuck: boolean): void {
    this.later.unshift({ effects, stuck });
  }

  /** @param path as it was right after the call that is looked at */
  find(path: string): Whereabouts {
    let now = path;
    for (const { effects, stuck } of this.later) {
      const { moves = [], trashed = [], restored = [] } = effects;
      for (const { path: gone, trash } of trashed) {
        const rest = restOf(now, gone);
        if (rest !== undefined) return stuck ? { kind: 'stuck' } : { kind: 'trash', trash, rest };
      }
      if (restored.some((entry) => restOf(now, entry.path) !== undefined)) return stuck ? { kind: 'stuck' } : NOWHERE;
      for (const { from, to } of moves) {
        const rest = restOf(now, from);
        if (rest === undefined && restOf(now, to) === undefined) continue;
        if (stuck) return { kind: 'stuck' };
        if (rest === undefined) return NOWHERE;
        now = to + rest;
      }
    }
    return { kind: 'workspace', path: now };
  }
}
