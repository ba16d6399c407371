import { shadowGit, type ShadowPlace } from './shadow-git.js';

/** What came of storing files. */
interface StoredFiles {
  /** Git can not read them, or does not take their names. */
  readonly refused: readonly string[];
  /** There was no time for them. */
  readonly late: readonly string[];
}

/** Paths that are handed over between two looks at the clock. */
const PIECE = 128;

const ARGS = ['update-index', '-z', '--add', '--remove', '--stdin'];

/** One run of git for all; it takes all or, for the fault of one of them, none. Returns how many it was given. */
const storeTogether = async (place: ShadowPlace, paths: readonly string[], isOver: () => boolean): Promise<number> => {
  let given = 0;
  const input = function* (): Generator<string> {
    while (given < paths.length && (given === 0 || !isOver())) {
      const piece = paths.slice(given, given + PIECE);
      given += piece.length;
      yield piece.map((path) => `${path}\0`).join('');
    }
  };
  await shadowGit(place, { args: ARGS, input: input() });
  return given;
};

/** Finds those that git does not take, by halves. */
const storeApart = async (place: ShadowPlace, paths: readonly string[], isOver: () => boolean): Promise<StoredFiles> => {
  if (isOver()) return { refused: [], late: paths };
  try {
    const given = await storeTogether(place, paths, () => false);
    return { refused: [], late: paths.slice(given) };
  } catch (error) {
    if (paths.length <= 1) return { refused: paths, late: [] };
    const half = Math.ceil(paths.length / 2);
    const first = await storeApart(place, paths.slice(0, half), isOver);
    if (first.refused.length === half && half > 8) throw error; // not a file's fault
    const second = await storeApart(place, paths.slice(half), isOver);
    return { refused: [...first.refused, ...second.refused], late: [...first.late, ...second.late] };
  }
};

/**
 * Stores files in the shadow repository, until the time is over.
 *
 * @throws ShadowFailure if git can store nothing at all
 */
export async function storeFiles(place: ShadowPlace, paths: readonly string[], isOver: () => boolean): Promise<StoredFiles> {
  if (paths.length === 0) return { refused: [], late: [] };
  try {
    const given = await storeTogether(place, paths, isOver);
    return { refused: [], late: paths.slice(given) };
  } catch {
    return storeApart(place, paths, isOver);
  }
}
