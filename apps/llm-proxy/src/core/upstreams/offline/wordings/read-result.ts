import type { Outcome } from '../task.js';
import type { Wording } from './wording.js';

type Value = Readonly<Record<string, unknown>>;

/** `[exit code 1 in 0.2 s]`, `Exit code 1`, `[Status: failed with exit code 1]`: how vocabularies tell it, before or behind the output. */
const ENDINGS = [
  /^\[exit code (\d+)[^\]\n]*\]\n?/,
  /^Exit code (\d+)(?:\n|$)/,
  /\n?\[exit code (\d+)\]$/,
  /\n?\[Status: (?:completed|failed with exit code (\d+))\]$/,
];
const NO_OUTPUT = '(no output)';

/** A result in the words of a vocabulary as the canonical tool would have given it, as far as it can be told. */
export function readResult(tool: string, outcome: Outcome, { isPlain, name }: Wording): Outcome {
  if (!outcome.ok) {
    const ended = outcome.code === 'FAILED' && tool === 'run_command' ? readCommand(outcome.message) : undefined;
    return ended === undefined ? outcome : { ...outcome, ok: true, text: outcome.message, value: ended };
  }
  const { text } = outcome;
  if (tool === 'read_file') return { ...outcome, value: isPlain === true ? readPlain(text) : (readFile(text) ?? outcome.value) };
  if (isJson(text)) return outcome;
  if (tool === 'run_command')
    return { ...outcome, value: readCommand(text) ?? { exit_code: name === 'Bash' ? 0 : undefined, stdout: withoutNothing(text) } };
  if (tool === 'list_files') return { ...outcome, value: { entries: readPaths(text) } };
  const said = name === 'Bash' || name === 'run_terminal_command' ? (readCommand(text)?.stdout ?? withoutNothing(text)) : text;
  if (tool === 'git.diff') return { ...outcome, text: said, value: { diff: said === 'No changes.' ? '' : said } };
  return { ...outcome, text: said, value: tool === 'prompt_user' ? { action: said } : {} };
}

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

const withoutNothing = (text: string): string => (text === NO_OUTPUT ? '' : text);

function readCommand(text: string): { readonly exit_code: number; readonly stdout: string } | undefined {
  for (const ending of ENDINGS) {
    const match = ending.exec(text);
    if (match) return { exit_code: Number(match[1] ?? 0), stdout: withoutNothing(text.replace(match[0], '')) };
  }
  return undefined;
}

/** `[lines 1-2000 of 5000; read on with offset 2001]`, `[cut: …]` */
const NOTE = /^\[(?:lines \d+-\d+ of (\d+); |cut: )/;
const NUMBERED = /^\d+(?:\t|: )/;

/** The content of lines with numbers; a file's last line end can't be told, so there is one. `total`: more lines than are here. */
function readFile(text: string): Value | undefined {
  if (/^\(.* is empty\)$/.test(text) || text === '') return { content: '' };
  const lines = text.split('\n');
  const note = NOTE.exec(lines.at(-1) ?? '');
  if (note) lines.pop();
  if (!lines.every((line) => NUMBERED.test(line))) return undefined;
  const content = lines.map((line) => `${line.replace(NUMBERED, '')}\n`).join('');
  return { content, is_cut: note !== null, lines_total: note?.[1] === undefined ? undefined : Number(note[1]) };
}

const readPlain = (text: string): Value => ({ content: /^\(.* is empty\)$/.test(text) ? '' : `${text}\n` });

/** Paths, a line each; sizes before them and notes between them are no paths. */
function readPaths(text: string): string[] {
  if (/ is empty\.$|^No files (?:found|match .*\.)$/.test(text)) return [];
  const lines = text.split('\n').filter((line) => line !== '' && !/^\[.*\]$/.test(line));
  const sized = lines.flatMap((line) => {
    const [, size, path = ''] = /^(-|\d[\d.]*[BKMG]?)\t(?:\.\/)?(.+)$/.exec(line) ?? [];
    return size === undefined ? [] : [size === '-' ? `${path}/` : path];
  });
  return underRoot(sized.length > 0 ? sized : lines);
}

/** Absolute paths without the directory that all of them are in. */
function underRoot(paths: readonly string[]): string[] {
  const [first = ''] = paths;
  if (!paths.every((path) => path.startsWith('/'))) return [...paths];
  let root = first.slice(0, first.lastIndexOf('/') + 1);
  while (!paths.every((path) => path.startsWith(root))) root = root.slice(0, root.lastIndexOf('/', root.length - 2) + 1);
  return paths.map((path) => path.slice(root.length));
}
