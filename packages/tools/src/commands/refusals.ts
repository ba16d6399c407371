import type { Directories } from './parse/directories.js';
import { isForeignProgram, programName } from './parse/program-name.js';
import { findVitalTarget, namesSystemFile, namesVital } from './refuse-paths.js';
import type { ShellWord } from './parse/shell-word.js';

type Refusal = (args: readonly string[], directories: Directories) => string | undefined;

const always =
  (reason: string): Refusal =>
  () =>
    reason;

const operandsOf = (args: readonly string[]): readonly string[] => {
  const end = args.indexOf('--');
  const options = (end < 0 ? args : args.slice(0, end)).filter((arg) => !arg.startsWith('-'));
  return end < 0 ? options : [...options, ...args.slice(end + 1)];
};

/** A short option in a cluster, or any abbreviation of a long one. */
const hasOption = (args: readonly string[], letters: RegExp, long: string): boolean =>
  args.some((arg) => (arg.startsWith('--') ? arg.length > 2 && `--${long}`.startsWith(arg) : arg.startsWith('-') && letters.test(arg)));

const remove: Refusal = (args, directories) => {
  if (args.some((arg) => arg.length > 2 && '--no-preserve-root'.startsWith(arg))) return 'removes without sparing the root directory';
  const recursive = hasOption(args, /[rR]/, 'recursive');
  const operands = operandsOf(args);
  if (operands.some((word) => namesSystemFile(word, directories))) return 'removes files of the system';
  return recursive && operands.some((word) => namesVital(word, directories)) ? 'removes the system or a whole home' : undefined;
};

const find: Refusal = (args, directories) => {
  const removes =
    args.includes('-delete') || args.some((arg, index) => /^-(exec|ok)(dir)?$/.test(arg) && programName(args[index + 1] ?? '') === 'rm');
  const first = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPOD]/.test(arg));
  const places = args.slice(0, first < 0 ? undefined : first);
  return removes && places.some((word) => namesVital(word, directories)) ? 'removes the system or a whole home' : undefined;
};

/** No mode or access list is longer, and none longer is matched against patterns. */
const MAX_MODE = 200;

/** World-writable, or it makes a program run as its owner. */
const chmod: Refusal = (args) => {
  const modes = operandsOf(args)
    .slice(0, 1)
    .concat(args.filter((arg) => /^-[rwxXst]+$/.test(arg)));
  for (const mode of modes.map((word) => word.slice(0, MAX_MODE))) {
    const octal = /^0*([0-7]?)[0-7]?[0-7]?([0-7])$/.exec(mode.padStart(3, '0'));
    if (octal !== null && (Number(octal[2]) & 2) !== 0) return 'lets everybody write';
    if (octal !== null && mode.replace(/^0+/, '').length > 3 && (Number(octal[1]) & 6) !== 0) return 'makes a program run as another user';
    for (const clause of mode.split(',')) {
      if (/^[ugoa]*[ao][ugoa]*([-+=][rwxXstugo]*)*[+=][rxXst]*w/.test(clause)) return 'lets everybody write';
      if (/[+=][rwxXt]*s/.test(clause)) return 'makes a program run as another user';
      if (/^[ugoa]*[ao][ugoa]*[+=][ug]/.test(clause)) return 'lets everybody do what the owner may';
    }
  }
  return undefined;
};

const chown: Refusal = (args, directories) => {
  if (!hasOption(args, /R/, 'recursive')) return undefined;
  const [owner, ...operands] = operandsOf(args);
  if (/^(root|0|\+0)([:.].*)?$/.test(owner ?? '')) return 'gives files to root';
  return operands.some((word) => namesVital(word, directories)) ? 'changes the owner of the system or a whole home' : undefined;
};

const everyone: Refusal = (args) =>
  args.some((arg) => /(^|[ ,:])(other|o|everyone|world):+[^ ,]*w|everyone:?\(?.*[fwm]|everyone allow/i.test(arg.slice(0, MAX_MODE)))
    ? 'lets everybody write'
    : undefined;

const dd: Refusal = (args) => {
  for (const arg of args) {
    const reason = arg.startsWith('of=') ? findVitalTarget(arg.slice(3)) : undefined;
    if (reason !== undefined) return reason;
  }
  return undefined;
};

const writes: Refusal = (args) => {
  for (const arg of args) {
    const reason = findVitalTarget(arg.replace(/^(--?[\w-]+=|of=)/, ''));
    if (reason !== undefined) return reason;
  }
  return undefined;
};

const diskutil: Refusal = ([verb]) => (/^(erase|partition|zero|secureerase|reformat)/i.test(verb ?? '') ? 'erases a disk' : undefined);
const netsh: Refusal = (args) => (/firewall/i.test(args.join(' ')) ? 'changes the firewall' : undefined);

const table = (names: string, refusal: Refusal): readonly (readonly [string, Refusal])[] => names.split(' ').map((name) => [name, refusal]);

const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  ...table('rm unlink rmdir shred srm del erase rd trash', remove),
  ...table('find gfind', find),
  ...table('chmod', chmod),
  ...table('chown chgrp', chown),
  ...table('setfacl icacls cacls nfs4_setfacl', everyone),
  ...table('dd', dd),
  ...table('tee truncate fallocate', writes),
  ...table('cp mv install ln', (args) => writes(args.slice(-1), undefined)),
  ...table(
    'mkswap fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard format mke2fs newfs badblocks',
    always('formats or changes a disk'),
  ),
  ...table('diskutil', diskutil),
  ...table('insmod rmmod modprobe kextload kextunload kldload kldunload', always('changes the kernel')),
  ...table('iptables ip6tables iptables-restore nft ufw firewall-cmd pfctl ipfw ebtables', always('changes the firewall')),
  ...table('netsh', netsh),
]);

/** Why a command is never run, whoever approves it; `undefined` for all others. */
export function findRefusal(words: readonly ShellWord[], directories: Directories): string | undefined {
  const [first, ...rest] = words;
  if (first === undefined || isForeignProgram(first.value)) return undefined;
  const name = programName(first.value);
  if (/^(mkfs|newfs)[._]/.test(name) || name === 'mkfs') return 'makes a file system';
  return REFUSALS.get(name)?.(
    rest.map(({ value }) => value),
    directories,
  );
}
