import { foldCase, foldName } from '../fold-name.js';

/** What a glob says of a path: it matches; or it matches all that may lie below it, or only some of it. */
type GlobMatch = 'whole' | 'all below' | 'some below' | undefined;

type Segments = readonly string[];

const segmentsOf = (path: string): Segments => path.split('/').filter((segment) => segment !== '' && segment !== '.');

/** `src/**` is what lies in `src`, not `src` itself: one segment at least. */
const globSegments = (glob: string): Segments => {
  const segments = segmentsOf(glob).filter((segment, index, all) => segment !== '**' || all[index - 1] !== '**');
  return segments.length > 1 && segments.at(-1) === '**' ? [...segments.slice(0, -1), '*', '**'] : segments;
};

/** Whether a segment matches; at most as many steps as the product of both lengths. */
const matchSegment = (glob: string, name: string): boolean => {
  const [pattern, text] = [[...glob], [...name]];
  let star = -1;
  let mark = 0;
  let at = 0;
  for (let index = 0; index < text.length;) {
    if (pattern[at] === '*') [star, mark, at] = [at, index, at + 1];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[index])) [at, index] = [at + 1, index + 1];
    else if (star === -1) return false;
    else [at, mark, index] = [star + 1, mark + 1, mark + 1];
  }
  return pattern.slice(at).every((char) => char === '*');
};

/** How many segments of the glob can stand for the whole path: each number once, so the work is bounded by the product of both. */
const statesAfter = (glob: Segments, path: Segments): ReadonlySet<number> => {
  const spread = (states: Iterable<number>): Set<number> => {
    const all = new Set(states);
    for (const state of all) if (glob[state] === '**') all.add(state + 1); // a set hands out what is added meanwhile
    return all;
  };
  let states = spread([0]);
  for (const name of path) {
    const next = [...states].flatMap((state) => {
      const segment = glob[state];
      if (segment === '**') return [state];
      return segment !== undefined && matchSegment(segment, name) ? [state + 1] : [];
    });
    states = spread(next);
  }
  return states;
};

/** Whether a workspace path matches the glob of a rule that allows: to the letter. `*` and `?` stay within a segment, `**` spans any number. */
export const matchGlob = (glob: string, path: string): boolean => {
  const segments = globSegments(glob);
  return statesAfter(segments, segmentsOf(path)).has(segments.length);
};

const withoutUpwards = (segments: Segments): Segments =>
  segments.reduce<string[]>((kept, segment) => (segment === '..' ? kept.slice(0, -1) : [...kept, segment]), []);

/**
 * What the glob of a rule that asks or denies says of a path, however a file system may spell it: letter case, composition, trailing dots and
 * the like don't count, and `..` is followed.
 */
export function matchLoosely(glob: string, path: string): GlobMatch {
  const pattern = globSegments(foldCase(glob));
  const names = withoutUpwards(segmentsOf(path));
  const found = [names.map(foldCase), names.map(foldName)].map((spelled) => matchBelow(pattern, spelled));
  return (['whole', 'all below', 'some below'] as const).find((match) => found.includes(match));
}

const matchBelow = (pattern: Segments, names: Segments): GlobMatch => {
  const states = statesAfter(pattern, names);
  if (states.has(pattern.length)) return 'whole';
  if (pattern.at(-1) === '**' && states.has(pattern.length - 2)) return 'all below';
  return [...states].some((state) => state < pattern.length) ? 'some below' : undefined;
};
