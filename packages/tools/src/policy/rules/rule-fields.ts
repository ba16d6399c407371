import { LIMITS } from '@codelab/protocol';
import { isJsonObject, type JsonValue } from '../../arguments/json.js';

/** Words of a command in a rule, and files that a rule is bound to, at most. */
const MAX_WORDS = 64;
const MAX_FILES = 32;
/** Characters of a tool's name and of a word, at most. */
const MAX_NAME = 128;
const MAX_WORD = 4_096;

/** A name, or an address as it stands in a URL. */
const HOST = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/;
const MAX_HOST = 253;

// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** What is wrong with the value of a field, as a clause; `undefined` if nothing is. */
type Check = (value: JsonValue) => string | undefined;

const findPathFault = (path: string): string | undefined => {
  if ([...path].length > LIMITS.MAX_PATH_CHARACTERS) return `is longer than ${String(LIMITS.MAX_PATH_CHARACTERS)} characters`;
  if (CONTROL.test(path) || path.includes('\\')) return 'must not hold a backslash or a control character';
  if (/^[/~]|^[A-Za-z]:/.test(path)) return 'must be relative to the workspace';
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length === 0) return 'names nothing; "**" is every path';
  return segments.includes('..') ? 'must not hold ".."' : undefined;
};

const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');

const isWord = (word: JsonValue): boolean => typeof word === 'string' && word !== '' && word.length <= MAX_WORD;

const findFileFault = (file: JsonValue): string | undefined => {
  if (!isJsonObject(file)) return 'must hold objects {path, sha256}';
  const unknown = Object.keys(file).find((key) => key !== 'path' && key !== 'sha256');
  if (unknown !== undefined) return `has an unknown field "${unknown}"`;
  const { path, sha256 } = file;
  if (typeof path !== 'string') return 'must hold objects with a path';
  if (/[*?]/.test(path)) return `names files, and "${path}" is a pattern`;
  const fault = findPathFault(path);
  if (fault !== undefined) return `has a path that ${fault}`;
  return sha256 === undefined || (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) ? undefined : 'has a sha256 that is none';
};

/** The fields of a rule; every other one is refused. */
export const RULE_FIELDS: Readonly<Record<string, Check>> = {
  effect: (value) => (['allow', 'ask', 'deny'].includes(value as string) ? undefined : 'must be allow, ask or deny'),
  tool: (value) =>
    typeof value === 'string' && value !== '' && value.length <= MAX_NAME && !CONTROL.test(value)
      ? undefined
      : 'must be the name of a tool',
  path: (value) => (typeof value === 'string' ? findPathFault(value) : 'must be a pattern of paths'),
  host: (value) =>
    typeof value === 'string' && value.length <= MAX_HOST && HOST.test(value)
      ? undefined
      : 'must be a host in lower case, such as docs.example.com or *.example.com',
  command: (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= MAX_WORDS && (value as readonly JsonValue[]).every(isWord)
      ? undefined
      : `must be a list of 1 to ${String(MAX_WORDS)} words`,
  exact: flag,
  files: (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_FILES) return `must be a list of 1 to ${String(MAX_FILES)} files`;
    return (value as readonly JsonValue[]).map(findFileFault).find((fault) => fault !== undefined);
  },
  proxy: flag,
  expires_at_ms: (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'must be a time in Unix milliseconds'),
};
