/** How the output of a test runner reads, line by line. */
export interface Runner {
  readonly name: string;
  /** Only such a runner writes this line. */
  readonly isSummary: RegExp;
  /** Only such a runner begins with this line: it tells it where it was stopped before the summary. */
  readonly isBegin?: RegExp;
  /** A line that says no more than that a test or a file of tests has passed. */
  readonly isPassed: RegExp;
  /** The line with which a failure begins: its name stands in it, its message comes behind it. */
  readonly isFailed: RegExp;
}

/** Each expression is anchored and looks at the beginning of a line, of which `MAX_LOOKED` characters are looked at. */
export const RUNNERS: readonly Runner[] = [
  {
    name: 'jest',
    isSummary: /^Tests: {1,10}(?:\d+ \w+, ){0,5}\d+ total/,
    isBegin: /^ ?PASS {1,2}\S+\.[cm]?[jt]sx?\b/,
    isPassed: /^(?:\s{1,20}[✓√] | ?PASS )/,
    isFailed: /^ {1,4}● (?!Console$)/,
  },
  { name: 'vitest', isSummary: /^ {1,10}Tests {1,4}\d+ (?:passed|failed|skipped|todo)/, isPassed: /^ {1,20}✓ /, isFailed: /^ ?FAIL / },
  {
    name: 'node:test',
    isSummary: /^ℹ tests \d/,
    isBegin: /^ {0,40}✔ .{1,400} \(\d+(?:\.\d+)?ms\)$/,
    isPassed: /^ {0,40}(?:✔|▶) /,
    isFailed: /^ {0,40}✖ (?!failing tests:)/,
  },
  { name: 'mocha', isSummary: /^ {1,10}\d+ passing \(/, isPassed: /^ {1,40}[✓✔] /, isFailed: /^ {1,40}\d+\) / },
  { name: 'ava', isSummary: /^ {1,4}\d+ tests? (?:passed|failed)/, isPassed: /^ {1,4}✔ /, isFailed: /^ {1,4}✘ \[fail\]: / },
  {
    name: 'pytest',
    isSummary: /^=* ?(?:\d+ \w+, ){0,8}\d+ (?:passed|failed|errors?|skipped)\b.{0,80} in \d/,
    isBegin: /^=+ test session starts =+$/,
    isPassed: /^(?:\S{1,300} PASSED(?:\s+\[ *\d+%\])?$|\S{1,200}\.py \.+ *(?:\[ *\d+%\])?$)/,
    isFailed: /^(?:_{3,} .{1,300} _{3,}$|FAILED |ERROR )/,
  },
  {
    name: 'cargo',
    isSummary: /^test result: /,
    isBegin: /^running \d+ tests?$/,
    isPassed: /^test .{1,300} \.\.\. ok$/,
    isFailed: /^(?:---- .{1,300} ----$|test .{1,300} \.\.\. FAILED$)/,
  },
  {
    name: 'go test',
    isSummary: /^(?:ok {2}|FAIL|\? {3})\t\S/,
    isBegin: /^=== RUN {3}\S/,
    isPassed: /^(?: {0,40}--- PASS: |=== (?:RUN|PAUSE|CONT|NAME) |ok {2}\t|\? {3}\t)/,
    isFailed: /^ {0,40}--- FAIL: /,
  },
  {
    name: 'TAP',
    isSummary: /^# (?:tests|pass) +\d/,
    isBegin: /^TAP version \d/,
    isPassed: /^ {0,40}(?:ok \d+\b(?!.{0,500}# (?:SKIP|TODO))|# Subtest: |---$|\.\.\.$|duration_ms: |type: '(?:test|suite)'$)/,
    isFailed: /^ {0,40}not ok \d/,
  },
  {
    name: 'unittest',
    isSummary: /^Ran \d+ tests? in \d/,
    isPassed: /^(?:test\w{0,200} \(.{1,300}\) \.\.\. ok$|\.+$)/,
    isFailed: /^(?:FAIL|ERROR): /,
  },
  {
    name: 'maven',
    isSummary: /^\[(?:INFO|WARNING|ERROR)\] Tests run: \d/,
    isBegin: /^\[INFO\] {2}T E S T S$/,
    isPassed: /^\[INFO\] (?:Running \S|Tests run: \d+, .{1,200} -- in \S)/,
    isFailed: /^\[ERROR\] [^:]{1,400} <<< (?:FAILURE|ERROR)!/,
  },
  {
    name: 'gradle',
    isSummary: /^(?:BUILD (?:SUCCESSFUL|FAILED) in \d|\d+ tests? completed, \d)/,
    isPassed: /^(?:> Task :\S{1,200}(?: UP-TO-DATE| NO-SOURCE| SKIPPED| FROM-CACHE)?$|[^>]{1,300} > .{1,300} PASSED$)/,
    isFailed: /^[^>]{1,300} > .{1,300} FAILED$/,
  },
  { name: 'dotnet test', isSummary: /^(?:Passed|Failed)! +- Failed: /, isPassed: /^ {2}Passed \S/, isFailed: /^ {2}Failed \S/ },
  { name: 'rspec', isSummary: /^\d+ examples?, \d+ failures?/, isPassed: /^\.+$/, isFailed: /^ {2}\d+\) / },
  {
    name: 'phpunit',
    isSummary: /^(?:OK \(\d+ tests?, |Tests: \d+, Assertions: )/,
    isPassed: /^(?: ✔ |\.+ +\d+ \/ \d+ \( *\d+%\)$)/,
    isFailed: /^\d+\) /,
  },
  { name: 'playwright', isSummary: /^ {2}\d+ passed \(\d/, isPassed: /^ {2}✓ +\d+ /, isFailed: /^ {2}\d+\) / },
];

/** Characters of a line that decide what it is. */
export const MAX_LOOKED = 600;
