import { isForeignProgram, programName } from './program-name.js';
import { knownWord, type ShellWord } from './shell-word.js';
import { WRAPPERS, type Wrapper } from './wrappers.js';

/** A verdict that what is wrapped can't go below. */
interface Floor {
  readonly verdict: 'ask' | 'refuse';
  readonly reason: string;
}

/** A command without its wrappers. */
export interface Unwrapped {
  readonly words: readonly ShellWord[];
  /** The wrappers, outermost first. */
  readonly wrappers: readonly string[];
  readonly floors: readonly Floor[];
  /** Scripts that shells in it run: what is judged instead of `words`, or beside them if there are words. */
  readonly scripts: readonly string[];
  /** It is certain that `words` and `scripts` are all that runs, and in which way. */
  readonly certain: boolean;
}

/** Wrappers around wrappers; more is a riddle. */
const MAX_WRAPPERS = 12;

const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash']);

/** Options of a shell that change nothing about what its script does. */
const SHELL_OPTIONS = /^(-[aefhlmnuvxc]*|--(login|noprofile|norc|posix|noediting))$/;

const SET_OPTIONS = /^(errexit|nounset|noglob|pipefail|verbose|xtrace)$/;

interface Options {
  /** Index of the first word after the options. */
  readonly end: number;
  readonly understood: boolean;
  /** Values of short options by letter, those of long ones by name. */
  readonly values: ReadonlyMap<string, ShellWord>;
}

const has = (names: string | undefined, name: string): boolean => names?.split(' ').includes(name) ?? false;

function readOptions(words: readonly ShellWord[], wrapper: Wrapper): Options {
  const values = new Map<string, ShellWord>();
  let at = 1;
  for (; at < words.length; at += 1) {
    const { value, known } = words[at]!;
    if (value === '--') return { end: at + 1, understood: true, values };
    if (!known || !value.startsWith('-') || (value === '-' && !wrapper.flags?.includes('-'))) break;
    const long = /^--([^=]+)(=(.*))?$/s.exec(value);
    if (long !== null) {
      const [, name, , attached] = long;
      if (has(wrapper.longValued, name!))
        values.set(name!, attached === undefined ? (words[(at += 1)] ?? knownWord('')) : knownWord(attached));
      else if (!has(wrapper.long, name!)) return { end: at, understood: false, values };
      continue;
    }
    for (let index = 1; index < value.length; index += 1) {
      const letter = value[index]!;
      if (wrapper.flags?.includes(letter) === true) continue;
      if (wrapper.valued?.includes(letter) !== true) return { end: at, understood: false, values };
      const attached = value.slice(index + 1);
      values.set(letter, attached === '' ? (words[(at += 1)] ?? knownWord('')) : knownWord(attached));
      break;
    }
  }
  return { end: Math.min(at, words.length), understood: true, values };
}

/** The shell's script: after `-c`, in a file, or what it reads. */
function unwrapShell(words: readonly ShellWord[]): Pick<Unwrapped, 'words' | 'scripts' | 'floors' | 'certain'> {
  let command = false;
  let certain = true;
  let at = 1;
  for (; at < words.length && words[at]!.known && /^[-+]./.test(words[at]!.value); at += 1) {
    const { value } = words[at]!;
    if (value === '--') {
      at += 1;
      break;
    }
    const cluster = /^-[A-Za-z]*c[A-Za-z]*$/.test(value);
    command ||= cluster;
    const takesValue = /^[-+][A-Za-z]*[oO][A-Za-z]*$|^--(rcfile|init-file)$/.test(value);
    if (takesValue) at += 1;
    const harmless = takesValue
      ? /^-[aefhlmnuvxc]*o[c]?$/.test(value) && SET_OPTIONS.test(words[at]?.value ?? '')
      : SHELL_OPTIONS.test(value);
    certain &&= harmless;
  }
  if (!command) return { words, scripts: [], floors: [], certain };
  const script = words[at];
  const floors: Floor[] = certain ? [] : [{ verdict: 'ask', reason: `${words[0]!.value} has options that are not known` }];
  if (script?.known === true) return { words: [], scripts: [script.value], floors, certain };
  return { words: [], scripts: script === undefined ? [] : [script.value], floors: [...floors, UNKNOWN_SCRIPT], certain: false };
}

const UNKNOWN_SCRIPT: Floor = { verdict: 'ask', reason: 'runs a script that only the shell knows' };

/** What `env` and its like change before they run something. */
function floorsOf(name: string, wrapper: Wrapper, options: Options, assigned: readonly string[]): readonly Floor[] {
  const floors: Floor[] = wrapper.floor === undefined ? [] : [wrapper.floor];
  if (!options.understood) floors.push({ verdict: 'ask', reason: `${name} has options that are not known` });
  if (assigned.length > 0) floors.push({ verdict: 'ask', reason: `sets ${assigned.join(', ')} for what it runs` });
  if (name === 'env' && options.values.size > 0) floors.push({ verdict: 'ask', reason: 'env changes more than what it runs' });
  return floors;
}

function unwrapOne(words: readonly ShellWord[], name: string, wrapper: Wrapper): Omit<Unwrapped, 'wrappers'> {
  const options = readOptions(words, wrapper);
  let at = options.end;
  const assigned: string[] = [];
  for (; wrapper.assigns === true && at < words.length; at += 1) {
    const assignment = /^([A-Za-z_]\w*)=/.exec(words[at]!.value);
    if (assignment === null) break;
    assigned.push(assignment[1]!);
  }
  const floors = floorsOf(name, wrapper, options, assigned);
  const certain = floors.length === 0;
  const rest = words.slice(at + (wrapper.operands ?? 0));
  const given = ['c', 'S', 'command', 'split-string'].flatMap((letter) => options.values.get(letter) ?? []).map(({ value }) => value);
  const scripts = name === 'su' || name === 'runuser' || name === 'env' ? given : [];
  if (wrapper.script !== true) return { words: options.understood ? rest : [], floors, certain, scripts };
  const text = rest.map(({ value }) => (value === ':::' || value === '-c' ? '' : value)).join(' ');
  return { words: [], floors, certain, scripts: [...scripts, text].filter((script) => script.trim() !== '') };
}

/** Takes off the wrappers of a command, as far as they are understood. */
export function unwrap(command: readonly ShellWord[]): Unwrapped {
  let words = command;
  const wrappers: string[] = [];
  const floors: Floor[] = [];
  const scripts: string[] = [];
  let certain = true;
  for (let first = words[0]; first?.known === true && !isForeignProgram(first.value); first = words[0]) {
    const name = programName(first.value);
    const wrapper = WRAPPERS.get(name);
    const looksUp = name === 'command' && /^-[vV]$/.test(words[1]?.value ?? '');
    const isShell = SHELLS.has(name);
    if ((wrapper === undefined && !isShell) || looksUp) break;
    if (words.length === 1 && (name === 'exec' || wrapper?.floor?.verdict !== 'refuse')) break;
    const one = isShell ? unwrapShell(words) : unwrapOne(words, name, wrapper!);
    floors.push(...one.floors);
    scripts.push(...one.scripts);
    certain &&= one.certain;
    if (one.words === words) break;
    wrappers.push(name);
    words = one.words;
    if (wrappers.length < MAX_WRAPPERS) continue;
    floors.push({ verdict: 'ask', reason: 'has too many wrappers' });
    certain = false;
    break;
  }
  return { words, wrappers, floors, scripts, certain };
}
