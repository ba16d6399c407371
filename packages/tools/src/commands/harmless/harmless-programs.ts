import { findSecretReason } from '../../policy/always-ask.js';
import type { HarmlessCall, HarmlessOptions } from './harmless-options.js';

type UnderstoodCall = Extract<HarmlessCall, { ok: true }>;

/** A program that only looks, as long as it is called with what is listed here. */
export interface HarmlessProgram extends HarmlessOptions {
  /** Why a call with these options is not harmless all the same. */
  readonly findFault?: (call: UnderstoodCall) => string | undefined;
}

const SUFFIX = '(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|sh|md|css|scss|html|vue|svelte|sql|proto|lua)';

/** Names of code by suffix, which are not hidden and hold no secret. */
const CODE = new RegExp(`^[A-Za-z0-9_*?-][A-Za-z0-9_*?.-]*\\.(?:${SUFFIX}|\\{${SUFFIX}(?:,${SUFFIX})*\\})$`);

/** Files of projects that are no code by their suffix, and that never hold secrets. Any other whole name may stand in a directory that does. */
const PROJECT_FILE =
  /^((package|package-lock|composer|deno|turbo|nx|lerna|angular|jsconfig|tsconfig(\.[\w-]+)?)\.json|(Cargo|pyproject|uv)\.(toml|lock)|go\.(mod|sum|work)|pnpm-(lock|workspace)\.yaml|(docker-)?compose\.ya?ml|requirements[\w-]*\.txt|CMakeLists\.txt|Makefile|Dockerfile|Gemfile|Rakefile|Procfile|README|LICENSE|CHANGELOG)$/;

/** Whether a glob for a search can't make it read hidden files or secrets. */
const isSafeGlob = (glob: string): boolean => {
  if (glob.startsWith('!')) return true;
  const [name, ...directories] = glob.split('/').reverse() as [string, ...string[]];
  if (directories.some((directory) => /[{}[\]?]|^\./.test(directory)) || findSecretReason(glob) !== undefined) return false;
  return CODE.test(name) || PROJECT_FILE.test(name);
};

const globFault = ({ options }: UnderstoodCall, names: readonly string[]): string | undefined => {
  const glob = names.flatMap((name) => options.get(name) ?? []).find((value) => !isSafeGlob(value));
  return glob === undefined ? undefined : `${glob} could match files that hold secrets`;
};

/** The executor's settings for ripgrep leave secrets out by `--iglob`, which beats `--glob`; a further `--iglob` would beat them. */
const rgFault = (call: UnderstoodCall): string | undefined => {
  const brought = (call.options.get('iglob') ?? []).find((glob) => !glob.startsWith('!'));
  return brought === undefined ? globFault(call, ['g', 'glob']) : `--iglob ${brought} brings files back that hold secrets`;
};

/** Where an `--exclude` stands first, grep also reads files that no pattern matches. The executor looks for secrets that an `--include` reaches. */
const grepFault = (call: UnderstoodCall): string | undefined => {
  if (!['r', 'recursive'].some((name) => call.options.has(name))) return undefined;
  const first = [...call.options.keys()].find((name) => name === 'include' || name === 'exclude');
  return first === 'include' ? globFault(call, ['include']) : 'reads hidden files, too, and those that may hold secrets';
};

/** Columns of `ps` that show no arguments, which may hold secrets. */
const PS_COLUMN =
  /^(pid|ppid|pgid|sid|tty|tt|tname|comm|ucomm|ucmd|stat|state|s|time|cputime|etimes?|lstart|start|stime|pcpu|%cpu|c|pmem|%mem|rss|vsz|sz|nice|ni|pri|cls|user|uid|ruser|ruid|euser|euid|group|gid|wchan|nlwp|thcount|psr)$/;

/** Only with columns that are named: what `ps` shows by itself has arguments in it on macOS and in busybox. */
const psFault = ({ options }: UnderstoodCall): string | undefined => {
  const columns = ['o', 'format'].flatMap((name) => options.get(name) ?? []).map((list) => list.replace(/=[^,]*$/, '').split(/[, ]+/));
  if (columns.length > 0 && columns.flat().every((column) => PS_COLUMN.test(column))) return undefined;
  return 'ps may show arguments and variables, which may hold secrets; -o pid,ppid,user,time,comm shows none';
};

const dateFault = ({ operands }: UnderstoodCall): string | undefined =>
  operands.every((operand) => operand.startsWith('+')) ? undefined : 'sets the clock';

const uniqFault = ({ operands }: UnderstoodCall): string | undefined => (operands.length > 1 ? 'writes to its second file' : undefined);

const cdFault = ({ operands }: UnderstoodCall): string | undefined =>
  operands.length === 1 && operands[0] !== '-' ? undefined : 'may leave the workspace';

const LS_LONG =
  'all almost-all human-readable recursive reverse size color time sort time-style group-directories-first full-time directory classify inode';

const COUNTED: HarmlessProgram = { flags: 'qvz', valued: 'nc', long: 'lines bytes quiet silent verbose', numbers: true, operands: 'files' };
const PLAIN: HarmlessProgram = { operands: 'none' };

/** What runs unasked, by name: it neither writes nor runs anything, ends, and reads only what its operands say. */
export const HARMLESS_PROGRAMS: ReadonlyMap<string, HarmlessProgram> = new Map<string, HarmlessProgram>([
  ['true', PLAIN],
  ['false', PLAIN],
  [':', PLAIN],
  ['whoami', PLAIN],
  ['pwd', { flags: 'LP', operands: 'none' }],
  ['cd', { operands: 'files', findFault: cdFault }],
  ['echo', { operands: 'files', flags: 'neE' }],
  ['id', { flags: 'ugGnr', operands: 'texts' }],
  ['uname', { flags: 'asnrvmpio', long: 'all kernel-name machine operating-system', operands: 'none' }],
  ['date', { flags: 'uR', attached: 'I', long: 'utc universal iso-8601 rfc-email', operands: 'texts', findFault: dateFault }],
  ['ps', { flags: 'eAad', valued: 'op', long: 'no-headers sort format pid', operands: 'none', findFault: psFault }],
  ['which', { flags: 'a', operands: 'texts' }],
  ['command', { flags: 'vV', operands: 'texts' }],
  ['type', { flags: 'aptPf', operands: 'texts' }],
  ['ls', { flags: 'aAbBcCdfFgGhiklmnopqQrRsStuUvxXZ1', long: LS_LONG, operands: 'files' }],
  ['cat', { flags: 'AbeEnstTuv', long: 'number number-nonblank show-all show-ends show-tabs squeeze-blank', operands: 'files' }],
  ['head', COUNTED],
  ['tail', COUNTED],
  ['wc', { flags: 'clmwL', long: 'lines words bytes chars max-line-length', operands: 'files' }],
  [
    'sort',
    {
      flags: 'bdfgiMhnRrVcCmsuz',
      valued: 'kt',
      long: 'numeric-sort reverse unique version-sort human-numeric-sort stable',
      operands: 'files',
    },
  ],
  ['uniq', { flags: 'cdDiuz', valued: 'fsw', long: 'count repeated unique ignore-case', operands: 'files', findFault: uniqFault }],
  ['cut', { flags: 'nsz', valued: 'bcdf', long: 'delimiter fields complement only-delimited output-delimiter', operands: 'files' }],
  ['nl', { flags: 'p', valued: 'bdfhilnsvw', operands: 'files' }],
  ['tr', { flags: 'cCdst', operands: 'texts' }],
  ['stat', { flags: 't', valued: 'c', long: 'format printf terse', operands: 'files' }],
  ['file', { flags: 'bihkr', long: 'brief mime mime-type mime-encoding', operands: 'files' }],
  ['du', { flags: 'abchkmsx', valued: 'd', long: 'all human-readable summarize max-depth apparent-size total bytes', operands: 'files' }],
  ['df', { flags: 'ahHikPT', long: 'human-readable inodes total', operands: 'files' }],
  ['tree', { flags: 'adfipshugDCAFrtnQNxJ', valued: 'LPI', long: 'dirsfirst noreport gitignore prune charset', operands: 'files' }],
  [
    'grep',
    {
      flags: 'EFGPivwxcoqshHnbaIrlLy',
      valued: 'eABCm',
      long:
        'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case word-regexp line-regexp count color colour files-with-matches ' +
        'files-without-match only-matching quiet silent no-messages with-filename no-filename line-number text recursive binary-files',
      longValued: 'regexp after-context before-context context max-count include exclude exclude-dir',
      numbers: true,
      operands: 'pattern',
      patternIn: ['e', 'regexp'],
      findFault: grepFault,
    },
  ],
  [
    'rg',
    {
      flags: 'iSswxvcloqnNHIFPUpa0',
      valued: 'eABCmMtTgjr',
      long:
        'ignore-case smart-case case-sensitive word-regexp line-regexp invert-match count count-matches files-with-matches files-without-match ' +
        'only-matching quiet line-number no-line-number with-filename no-filename fixed-strings pcre2 multiline multiline-dotall pretty heading ' +
        'no-heading column no-column vimgrep json files stats trim null text no-messages type-list version color',
      longValued:
        'regexp after-context before-context context max-count max-columns max-depth max-filesize type type-not glob iglob sort sortr replace threads',
      operands: 'pattern',
      patternIn: ['e', 'regexp', 'files', 'type-list', 'version'],
      findFault: rgFault,
    },
  ],
]);
