/** How test runners, compilers and linters begin a line that tells of a failure. Each expression is linear in the length of a line. */
const FAILURES: readonly RegExp[] = [
  /^\s*not ok\b/, // tap, node --test
  /^\s*[✕✖✘×] \S/, // jest, node --test, ava, vitest
  /^\s*FAIL\s/, // jest, vitest, go
  /^\s*● \S/, // jest
  /^\s{1,8}\d{1,4}\) \S/, // mocha, rspec
  /^(FAILED|ERROR) \S/, // pytest
  /^E {3}/, // pytest
  /^\s*--- FAIL: /, // go
  /^test \S.* FAILED$/, // cargo
  /^\s*rspec \.\//,
  /^\s*(AssertionError|AssertionFailedError|Error|TypeError|ReferenceError)\b.*:/,
  /\berror TS\d+: /, // tsc
  /^\S+:\d+(:\d+)?: (fatal )?error: /, // gcc, clang
  /^\[ERROR\] /, // maven
  /^thread '.*' .*panicked at /, // cargo
];

/** Characters of a line that are looked at and shown, and lines in all. */
const MAX_LINE = 200;
const MAX_LINES = 25;

/** The lines of a text that look like failures, with a heading; nothing where there are none. */
export function failureLines(text: string): string[] {
  const found = text
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE))
    .filter((line) => FAILURES.some((failure) => failure.test(line)));
  if (found.length === 0) return [];
  const more = found.length > MAX_LINES ? [`[${String(found.length - MAX_LINES)} more such lines]`] : [];
  return ['[of what is left out, lines that look like failures:]', ...found.slice(0, MAX_LINES), ...more];
}
