import { clip } from '../clip.js';
import { MAX_LOOKED, RUNNERS, type Runner } from './runners.js';

export interface Folding {
  /** Characters of the result at most. */
  readonly limit: number;
  /** Where the whole output is: `; all of it: codelab-log:/…`, or ''. */
  readonly whole: string;
}

/** So many passed tests are shown as they are: nothing is gained by leaving them out. */
const FEW = 10;

/**
 * The output of a test runner that is known, worth its characters: lines of tests that passed give way to their number, and where the rest is
 * still too long, each failure is shown with the beginning of its message, then how all of it ends. Anything else: nothing.
 */
export function foldTests(text: string, { limit, whole }: Folding): string | undefined {
  const lines = text.split('\n');
  const looks = lines.map((line) => line.slice(0, MAX_LOOKED).replace(/\r$/, ''));
  const runner =
    RUNNERS.find(({ isSummary }) => looks.some((look) => isSummary.test(look))) ??
    RUNNERS.find(({ isBegin }) => isBegin !== undefined && looks.some((look) => isBegin.test(look)));
  if (runner === undefined) return undefined;
  const kept: string[] = [];
  let passed = 0;
  for (const [at, line] of lines.entries()) {
    if (runner.isPassed.test(looks[at]!)) passed += 1;
    else kept.push(line);
  }
  if (passed <= FEW && text.length <= limit) return undefined;
  const note = passed <= FEW ? [] : [`[${runner.name}: ${String(passed)} lines of passed tests left out${whole}]`];
  const body = passed <= FEW ? lines : kept;
  const failures = failuresIn(body, runner);
  const all = [...note, ...namesOf(failures, body), ...body].join('\n');
  return all.length <= limit ? all : shorten({ note: note.join('\n'), failures, body: body.join('\n') }, { limit, whole });
}

interface Failure {
  /** The line with its name. */
  readonly name: string;
  readonly text: string;
}

/** From each line that begins a failure up to the next one, without the blank lines at its end. */
function failuresIn(lines: readonly string[], { isFailed, isSummary }: Runner): Failure[] {
  const looks = lines.map((line) => line.slice(0, MAX_LOOKED).replace(/\r$/, ''));
  const starts = looks.flatMap((look, at) => (isFailed.test(look) ? [at] : []));
  const summary = looks.findLastIndex((look) => isSummary.test(look));
  return starts.map((start, place) => {
    const next = starts[place + 1] ?? (summary > start ? summary : lines.length);
    return { name: lines[start]!, text: lines.slice(start, next).join('\n').trimEnd() };
  });
}

/** Above a longer output the names of what failed, unless they come soon anyway. */
const SOON = 40;

const namesOf = (failures: readonly Failure[], body: readonly string[]): string[] => {
  const names = [...new Set(failures.map(({ name }) => name.trim()))];
  return names.length === 0 || body.length <= SOON ? [] : ['Failed:', ...names.map((name) => `- ${name}`), ''];
};

/** Characters for the end of the output, which holds the summary, and for the notes between. */
const END = 3_000;
const NOTES = 600;

/** Each failure gets the same share, what short ones leave goes to the others. */
function shorten(
  { note, failures, body }: { readonly note: string; readonly failures: readonly Failure[]; readonly body: string },
  { limit, whole }: Folding,
): string | undefined {
  if (failures.length === 0) {
    const size = limit - NOTES;
    const mark = (left: number): string => `[cut: ${String(left)} characters left out${whole}]`;
    return `${note === '' ? '' : `${note}\n`}${clip(body, { head: Math.floor(size / 3), tail: size - Math.floor(size / 3), mark })}`;
  }
  let left = limit - END - NOTES - note.length;
  const shares = new Map<Failure, string>();
  for (const [place, failure] of failures.toSorted((a, b) => a.text.length - b.text.length).entries()) {
    const share = Math.floor(left / (failures.length - place));
    const shown = failure.text.length + 1 <= share ? failure.text : `${failure.text.slice(0, Math.max(0, share - 8))} …[cut]`;
    if (share < 20) continue;
    shares.set(failure, shown);
    left -= shown.length + 1;
  }
  const shown = failures.flatMap((failure) => shares.get(failure) ?? []);
  const missing = failures.length - shown.length;
  const more = missing === 0 ? [] : [`[cut: ${String(missing)} more failures${whole}]`];
  const cut = `[cut: the failures are shown first, and the end of the output${whole}]`;
  return [...(note === '' ? [] : [note]), cut, ...shown, ...more, '[the end of the output:]', body.slice(-END)].join('\n');
}
