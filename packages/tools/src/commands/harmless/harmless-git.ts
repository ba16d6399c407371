import { readHarmlessOptions, type HarmlessCall, type HarmlessOptions } from './harmless-options.js';
import { findOperandFault } from '../parse/operand-fault.js';

const DIFF_LONG =
  'stat shortstat numstat dirstat name-only name-status summary patch no-patch raw patch-with-stat cached staged unified minimal patience histogram ' +
  'diff-algorithm ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines find-renames find-copies no-renames word-diff ' +
  'color-words color no-color no-ext-diff no-textconv relative full-index binary abbrev check exit-code quiet diff-filter merge-base';
const LOG_LONG =
  `${DIFF_LONG} oneline graph all branches tags remotes decorate no-decorate abbrev-commit no-abbrev-commit merges no-merges first-parent ` +
  'follow reverse date-order topo-order author-date-order pretty format no-notes invert-grep left-right cherry-pick cherry boundary no-walk pickaxe-all regexp-ignore-case';
const LOG: HarmlessOptions = {
  flags: 'puszigmcwbaERt',
  valued: 'nSG',
  attached: 'UMC',
  long: LOG_LONG,
  longValued: 'author committer grep since after until before max-count skip date',
  numbers: true,
  operands: 'texts',
};

/** Commands of git that only look, with the options that leave it so. */
const HARMLESS: ReadonlyMap<string, HarmlessOptions> = new Map<string, HarmlessOptions>([
  [
    'status',
    {
      flags: 'sbvz',
      attached: 'u',
      long: 'short branch porcelain long verbose untracked-files ignored show-stash ahead-behind no-ahead-behind renames no-renames',
      operands: 'files',
    },
  ],
  ['log', LOG],
  ['show', LOG],
  ['diff', { flags: 'puszwbaR', valued: 'SG', attached: 'UMC', long: DIFF_LONG, operands: 'texts' }],
  [
    'branch',
    {
      flags: 'arv',
      long: 'all remotes verbose show-current list merged no-merged contains no-contains points-at color no-color column no-column abbrev',
      longValued: 'sort format',
      operands: 'texts',
    },
  ],
  [
    'rev-parse',
    {
      flags: 'q',
      long:
        'show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository ' +
        'abbrev-ref short verify quiet symbolic-full-name all branches tags remotes show-object-format is-shallow-repository',
      operands: 'texts',
    },
  ],
  [
    'ls-files',
    {
      flags: 'cdomiksuvtz',
      valued: 'x',
      long: 'cached deleted modified others ignored stage unmerged killed directory exclude-standard error-unmatch full-name eol deduplicate exclude',
      operands: 'files',
    },
  ],
  [
    'blame',
    {
      flags: 'welsfntcp',
      valued: 'L',
      attached: 'MC',
      long: 'porcelain line-porcelain show-email show-name show-number date since abbrev root color-lines',
      operands: 'files', // it reads a file of the work tree, also one behind a link
    },
  ],
]);

/** What makes git check a signature: `%G` with its modifiers in a format of commits, an atom in a format or an order of refs. */
const CHECKS_SIGNATURE = /%[-+ ]?G|signature/i;

const LISTS_BRANCHES = ['list', 'merged', 'no-merged', 'contains', 'no-contains', 'points-at'];

/** Why a commit, range, `commit:path` or path must not be looked at without a human. */
function findRevisionFault(operand: string): string | undefined {
  if (/^[:^]?[/~]/.test(operand)) return `${operand} is an absolute path`;
  if (operand.startsWith(':')) return `${operand} may reach beyond this directory`;
  for (const part of operand.split(':')) {
    const reason = part === '' ? undefined : findOperandFault(part);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function findCallFault(name: string, { options, operands }: Extract<HarmlessCall, { ok: true }>): string | undefined {
  if (name === 'branch' && operands.length > 0 && !LISTS_BRANCHES.some((option) => options.has(option))) return 'creates a branch';
  const formats = ['pretty', 'format', 'sort'].flatMap((option) => options.get(option) ?? []);
  if (formats.some((format) => CHECKS_SIGNATURE.test(format))) return 'checks signatures, for which git runs a program';
  for (const operand of operands) {
    const reason = findRevisionFault(operand);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Judges the words after `git`. The executor sees to it that nothing in the repository's configuration is run. */
export function judgeHarmlessGit(words: readonly string[]): HarmlessCall {
  const [name, ...rest] = words[0] === '--no-pager' || words[0] === '-P' ? words.slice(1) : words;
  if (name === '--version' && rest.length === 0) return { ok: true, options: new Map(), operands: [], paths: [] };
  const allowed = HARMLESS.get(name ?? '');
  if (allowed === undefined) return { ok: false, fault: name === undefined ? 'runs git' : `git ${name} may change something` };
  const call = readHarmlessOptions(allowed, rest);
  if (!call.ok) return { ok: false, fault: `git ${name!} ${call.fault}` };
  const fault = findCallFault(name!, call);
  if (fault !== undefined) return { ok: false, fault };
  const paths = call.operands.filter((operand) => !/\.\.|[~^:@]/.test(operand));
  return { ...call, paths: allowed.operands === 'files' ? call.paths : paths };
}
