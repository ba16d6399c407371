import type { RuleOptions, RuleOptionsByWords } from './rule-options.js';

/** What scripts are called with that run tests, checks and builds. Which program it reaches isn't known, so that each value is judged as a path. */
const SCRIPT: RuleOptions = {
  style: 'apart',
  flags:
    'u w v q h i b s watch watchAll watch-all coverage no-coverage ci verbose silent quiet bail run runInBand run-in-band no-watch passWithNoTests ' +
    'pass-with-no-tests updateSnapshot update-snapshot update fix help version color colors no-color no-colors fail-fast parallel recursive headed headless ' +
    'debug prod production dev dry-run check strict noEmit detectOpenHandles forceExit onlyChanged onlyFailures no-cache no-fail-fast max-warnings',
  paths:
    't g k testNamePattern test-name-pattern testPathPattern testPathPatterns test-path-pattern grep maxWorkers max-workers maxConcurrency workers ' +
    'timeout testTimeout test-timeout retries retry shard project name mode',
};

const JEST: RuleOptions = {
  style: 'apart',
  flags:
    'b i u f o v h bail ci clearMocks collectCoverage coverage no-coverage color colors no-color detectLeaks detectOpenHandles errorOnDeprecated expand ' +
    'findRelatedTests forceExit help json lastCommit listTests logHeapUsage no-cache noStackTrace onlyChanged onlyFailures passWithNoTests randomize ' +
    'resetMocks restoreMocks runInBand showConfig showSeed silent testLocationInResults updateSnapshot useStderr verbose version watch no-watch watchAll ' +
    'no-watchAll watchman no-watchman workerThreads',
  texts:
    't w testNamePattern testPathPattern testPathPatterns testTimeout maxWorkers maxConcurrency seed shard changedSince selectProjects ignoreProjects',
};

const VITEST: RuleOptions = {
  style: 'apart',
  flags:
    'u w v h update watch no-watch run coverage no-coverage silent verbose color no-color passWithNoTests allowOnly help version changed hideSkippedTests isolate no-isolate',
  texts: 't testNamePattern testTimeout hookTimeout teardownTimeout bail retry shard project maxWorkers minWorkers maxConcurrency',
};

const MOCHA: RuleOptions = {
  style: 'apart',
  flags:
    'A b c C i p S w h V allow-uncaught async-only bail check-leaks color colors no-color no-colors diff no-diff dry-run exit no-exit forbid-only forbid-pending ' +
    'full-trace help inline-diffs invert parallel no-parallel recursive sort watch version',
  texts: 'g f j s t grep fgrep jobs retries slow timeout timeouts',
};

/** A project file can't run code, but can name any directory to write to: that is the workspace as it is. */
const TSC: RuleOptions = {
  style: 'apart',
  flags:
    'b w v h d f all build watch version help dry force verbose noEmit noEmitOnError incremental strict skipLibCheck pretty listFiles listFilesOnly ' +
    'listEmittedFiles showConfig diagnostics extendedDiagnostics explainFiles traceResolution noErrorTruncation preserveWatchOutput noUnusedLocals ' +
    'noUnusedParameters stopBuildOnErrors noImplicitAny strictNullChecks esModuleInterop allowJs checkJs resolveJsonModule',
  texts: 't m target module moduleResolution jsx lib locale moduleDetection',
  paths: 'p project',
};

const BIOME: RuleOptions = {
  style: 'apart',
  flags: 'write fix unsafe apply staged changed verbose no-errors-on-unmatched error-on-warnings skip-errors help json',
  texts: 'colors max-diagnostics diagnostic-level since only skip log-level reporter files-max-size',
};

const ESLINT: RuleOptions = {
  style: 'apart',
  flags:
    'h v fix fix-dry-run quiet debug cache no-color color no-inline-config exit-on-fatal-error no-error-on-unmatched-pattern no-warn-ignored pass-on-no-patterns help version stats',
  texts: 'ext max-warnings fix-type cache-strategy report-unused-disable-directives-severity',
};

const PRETTIER: RuleOptions = {
  style: 'apart',
  flags: 'c w l u h check write list-different ignore-unknown cache no-color no-error-on-unmatched-pattern help version',
  texts: 'log-level cache-strategy',
};

const TOOLS: readonly (readonly [RegExp, RuleOptions])[] = [
  [/^jest$/, JEST],
  [/^vitest$/, VITEST],
  [/^mocha$/, MOCHA],
  [/^tsc$/, TSC],
  [/^biome$/, BIOME],
  [/^eslint$/, ESLINT],
  [/^prettier$/, PRETTIER],
];

const NPM: RuleOptions = { style: 'apart', flags: 's silent if-present', rest: SCRIPT };

export const JAVASCRIPT: RuleOptionsByWords = [
  [[/^npm$/, /^(run|run-script)$/, /^\w/], NPM],
  [[/^npm$/, /^(test|t|start)$/], NPM],
  [[/^(pnpm|yarn|bun)$/, /^(run|run-script)$/, /^\w/], { ...SCRIPT, rest: SCRIPT }],
  [[/^(pnpm|yarn|bun)$/, /^(test|t|start|lint|dev|format|typecheck|check|build)$/], { ...SCRIPT, rest: SCRIPT }],
  ...TOOLS.flatMap(([name, options]): RuleOptionsByWords => [
    [[/^(npx|bunx)$/, name], options],
    [[name], options],
  ]),
];
