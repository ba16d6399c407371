import type { Change } from './changes.js';
import { blocksOf } from './blocks-of.js';
import type { Random } from './random.js';

/** The file as it is by the time of the edit, and as it must be afterwards. */
export interface Disturbed {
  readonly how: string;
  readonly file: readonly string[];
  readonly wanted: readonly string[];
}

/**
 * What happened to the file since the model read it, or what makes it hard: nothing, lines that were added far above, twins of the part that is
 * changed, blocks that changed their places, a comment that looks like a placeholder.
 */
export function disturb(change: Change, random: Random): Disturbed {
  const { before, after, around, at } = change;
  const how = random.pick([
    'none',
    'none',
    'none',
    'none',
    'drifted',
    'drifted',
    'twin above',
    'twin below',
    'moved',
    'odd comment',
  ] as const)!;
  const outer = around[0]!;
  const grown = after.length - before.length;
  switch (how) {
    case 'none':
      return { how, file: before, wanted: after };
    case 'drifted':
    case 'odd comment': {
      const line = how === 'drifted' ? 'unrelated_line' : '... existing code ...';
      const mark = /^\s*#/m.test(before.join('\n')) && !before.some((one) => one.includes('//')) ? '# ' : '// ';
      const more = Array.from(
        { length: how === 'drifted' ? random.below(12) + 1 : 1 },
        (_none, place) => `${mark}${line}${how === 'drifted' ? String(place) : ''}`,
      );
      const place = blocksOf(before, 0, before.length - 1)[0]!.last + 1;
      if (place > outer.first) return { how: 'none', file: before, wanted: after };
      return { how, file: insert(before, place, more), wanted: insert(after, place, more) };
    }
    case 'twin above':
    case 'twin below': {
      const from = Math.max(0, outer.first - 4);
      // not where the numbers of a patch point to: it would be a right patch of the twin
      const twin = [...Array.from({ length: from + 3 }, () => ''), ...before.slice(from, outer.last + 5)];
      const place = how === 'twin above' ? 0 : before.length;
      return { how, file: insert(before, place, twin), wanted: insert(after, place === 0 ? 0 : after.length, twin) };
    }
    case 'moved': {
      if (at > outer.last || blocksOf(before, 0, before.length - 1).length < 3) return { how: 'none', file: before, wanted: after };
      const move = (lines: readonly string[], more: number): string[] => [
        ...lines.slice(0, outer.first),
        ...lines.slice(outer.last + 1 + more),
        '',
        ...lines.slice(outer.first, outer.last + 1 + more),
      ];
      return { how, file: move(before, 0), wanted: move(after, grown) };
    }
  }
}

const insert = (lines: readonly string[], at: number, more: readonly string[]): string[] => [
  ...lines.slice(0, at),
  ...more,
  ...lines.slice(at),
];
