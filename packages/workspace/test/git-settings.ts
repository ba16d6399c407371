import { execFileSync } from 'node:child_process';
import type { Setting } from '../src/git/settings.js';

/** Names of things that a repository makes up: of plain letters, with a separator of lines in Unicode, and of bytes that are no UTF-8. */
export const MADE_UP: readonly string[] = [
  'plain',
  ...['x\u2028y', 'x\u2029y'].map((name) => Buffer.from(name).toString('latin1')),
  'x\xff"\\y',
];

/** Names that mean something to git, in place of a placeholder, besides those that are made up. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'branch.<name>': ['main'],
  'remote.<name>': ['origin'],
  'gpg.<format>': ['openpgp', 'ssh', 'x509'],
  'includeIf.<condition>': ['gitdir:**', 'onbranch:**', 'hasconfig:remote.*.url:**'],
  'protocol.<name>': ['ext', 'file'],
  'url.<base>': ['ext::sh -c '],
  'http.<url>': ['https://example.com'],
  'credential.<url>': ['https://example.com'],
};

/** Where the placeholder is the name itself, which git takes only letters for. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'alias.*': ['log', 'show', 'status', 'x'],
  'pager.<cmd>': ['log', 'show', 'diff', 'status', 'blame', 'branch', 'config'],
  'pretty.<name>': ['medium', 'oneline', 'x'],
};

/** Settings that git's list leaves out, or that only later versions have. */
const UNLISTED = [
  ...['gpg.<format>.defaultKeyCommand', 'gpg.<format>.allowedSignersFile', 'filter.<driver>.process', 'filter.<driver>.required'],
  ...['diff.<driver>.funcname', 'core.commentString', 'core.virtualFilesystem', 'hook.<name>.command', 'hook.<name>.event'],
  ...['trailer.<token>.command', 'trailer.<token>.cmd', 'tar.<format>.command', 'lfs.extension.<name>.clean', 'lfs.url', 'lfs.storage'],
  ...['submodule.<name>.fetchUrl', 'promisor.acceptFromServer', 'safe.program', 'extensions.partialClone', 'extensions.compatObjectFormat'],
  ...[
    'extensions.refStorage',
    'extensions.unknown',
    'credential.<url>.helper',
    'http.<url>.proxy',
    'http.<url>.cookieFile',
    'bundle.<id>.uri',
  ],
];

const toSetting = (name: string): Omit<Setting, 'value'> => {
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')];
  const key = `${name.slice(0, first)}.${name.slice(last + 1)}`.toLowerCase();
  return first < last ? { key, subsection: name.slice(first + 1, last) } : { key };
};

const instances = (name: string): readonly string[] => {
  const words = WORDS[name];
  if (words !== undefined) return words.map((word) => name.replace(/\*|<[^>]*>/, word));
  const [, section, placeholder, rest] = /^([^<]*)(<[^>]*>)(.*)$/.exec(name) ?? [];
  if (placeholder === undefined) return [name.replace(/\*$/, 'x')];
  if (rest === '') return [`${section!}x`];
  const key = rest === '.*' ? '.helper' : rest!;
  return [...MADE_UP, ...(KNOWN[`${section!}${placeholder}`] ?? [])].map((made) => `${section!}${made}${key}`);
};

/** Every setting that `git help --config` names on this machine, and some more, with names in place of placeholders. */
export function everySetting(): readonly Omit<Setting, 'value'>[] {
  const listed = execFileSync('git', ['help', '--config'], { encoding: 'utf8' }).split('\n');
  const names = listed.filter((line) => /^[\w-]+\.\S+$/.test(line) && !line.endsWith('_heads')); // that one git itself can't read
  return [...names, ...UNLISTED].flatMap(instances).map(toSetting);
}

/** What a setting is made to say: a program to run in each way in which git takes one, a file outside, a format that runs a program. */
export const canaryValues = ({
  program,
  secret,
}: {
  program: string;
  secret: string;
}): readonly (readonly [kind: string, value: string])[] => [
  ['a program', program],
  ['a command of the shell', `!${program}`],
  ['a transport that runs it', `ext::${program} x`],
  ['a file outside', secret],
  ['a format that checks signatures', '%G? %GK'],
];
