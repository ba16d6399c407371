import { MAX_SEARCHED_BYTES } from '../limits.js';
import type { Query } from './query.js';
import { assertAccepted, queryArguments } from './ripgrep-matcher.js';
import { runRipgrep, type Ripgrep } from './run-ripgrep.js';

interface CandidatesWanted {
  readonly query: Query;
  /** What ripgrep is started in. */
  readonly cwd: string;
  /** Path of the directory that is searched, below `cwd`; empty for all of it. */
  readonly path: string;
  readonly includeIgnored: boolean;
  /** Files of ignore rules about all below `cwd`, the weakest first. */
  readonly ignoreFiles: readonly string[];
  /** Pattern of names; left out where it is about paths. */
  readonly names: string | undefined;
  readonly signal: AbortSignal;
}

/** Patterns that mean the same to ripgrep; with others it searches all files, and we leave out what is too much. */
const PLAIN_PATTERN = /^[\w.?*-]+$/;

/** A `$` is to hold before the `\r` of a line too, which ripgrep takes for a part of it. */
const withLooseEnds = (query: Query): Query => {
  if (!query.regex || query.multiline) return query;
  let inClass = false;
  const text = query.text.replace(/\\.|\[\^?\]?|\]|\$/gs, (found) => {
    if (found === '$') return inClass ? found : '\\r?$';
    if (found.startsWith('[')) inClass = true;
    if (found === ']') inClass = false;
    return found;
  });
  return { ...query, text };
};

const argumentsOf = ({ query, path, includeIgnored, ignoreFiles, names }: CandidatesWanted): readonly string[] => [
  '--files-with-matches',
  '--null',
  '--hidden',
  '--no-messages',
  '--no-follow',
  '--glob=!.git',
  `--max-filesize=${String(MAX_SEARCHED_BYTES)}`,
  ...(includeIgnored ? ['--no-ignore'] : ['--no-ignore-global', '--no-ignore-parent', '--no-ignore-dot', '--no-ignore-exclude']),
  ...(includeIgnored ? [] : ['--no-require-git']),
  ...ignoreFiles.map((file) => `--ignore-file=${file}`),
  ...(names !== undefined && PLAIN_PATTERN.test(names) ? [`--type-add=wanted:${names}`, '--type=wanted'] : []),
  ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
  ...queryArguments(withLooseEnds(query)),
  path === '' ? './' : `./${path}/`,
];

/** Orders paths as a walk comes to them: segment by segment. */
const keyOf = (path: string): string => path.replaceAll('/', '\0');

/**
 * The files that ripgrep finds a match in, in the order of their paths: at least those that our rules let through, perhaps
 * more. `undefined` where it has to be done without ripgrep.
 */
export async function findCandidates(ripgrep: Ripgrep, wanted: CandidatesWanted): Promise<readonly string[] | undefined> {
  const { query } = wanted;
  const found = await listFiles(ripgrep, wanted, query);
  const more = found !== undefined && query.multiline ? await listFiles(ripgrep, wanted, WITH_RETURNS) : [];
  if (found === undefined || more === undefined) return undefined;
  return inWalkOrder([...found, ...more]);
}

/** Each path once, in the order in which a walk comes to them. */
export const inWalkOrder = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths.map(keyOf).sort())].map((key) => key.replaceAll('\0', '/'));

/** Files with `\r`: where it stands before a line end, an expression over several lines can match us and not ripgrep. */
const WITH_RETURNS: Query = { text: '\\r', regex: true, caseSensitive: true };

const listFiles = async (ripgrep: Ripgrep, wanted: CandidatesWanted, query: Query): Promise<readonly string[] | undefined> => {
  const outcome = await runRipgrep(ripgrep, { args: argumentsOf({ ...wanted, query }), cwd: wanted.cwd, signal: wanted.signal });
  assertAccepted(outcome);
  if (outcome === undefined || (outcome.code === 2 && outcome.complaint !== '') || outcome.code > 2) return undefined;
  const paths = outcome.stdout.toString('utf8').split('\0');
  return paths.filter((path) => path.startsWith('./')).map((path) => path.slice(2));
};
