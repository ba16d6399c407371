import type { RuleOptions, RuleOptionsByWords } from './rule-options.js';

const CARGO_FLAGS =
  'q v r h quiet verbose release lib bins tests benches examples all-targets all-features no-default-features workspace all locked offline frozen keep-going ' +
  'no-run no-fail-fast doc no-deps document-private-items fix allow-dirty allow-staged check help timings ignore-rust-version';

/** `--target-dir` is where it builds: in the workspace it may. */
const CARGO: RuleOptions = {
  style: 'joined',
  flags: CARGO_FLAGS,
  texts: 'p j F package bin test example bench features exclude jobs profile color message-format',
  paths: 'target target-dir',
};

/** Of the harness that is built into tests; `--logfile` writes a file. */
const LIBTEST: RuleOptions = {
  style: 'joined',
  flags: 'q h nocapture no-capture show-output ignored include-ignored exact list quiet test bench help',
  texts: 'skip test-threads color format',
};

const LINTS: RuleOptions = { style: 'joined', texts: 'A D F W' };

const RUSTFMT: RuleOptions = { style: 'joined', flags: 'l q v check files-with-diff quiet verbose', texts: 'color edition' };

const GO: RuleOptions = {
  style: 'words',
  flags: 'v x n i a e m race msan asan short cover json failfast trimpath benchmem fullpath deps find test all src buildvcs',
  texts:
    'run skip bench benchtime count cpu timeout parallel p tags shuffle covermode coverpkg fuzz fuzztime fuzzminimizetime list mod f vet',
  paths: 'coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir',
};

export const RUST_AND_GO: RuleOptionsByWords = [
  [[/^cargo$/, /^(test|bench)$/], { ...CARGO, rest: LIBTEST }],
  [[/^cargo$/, /^clippy$/], { ...CARGO, rest: LINTS }],
  [[/^cargo$/, /^fmt$/], { ...CARGO, rest: RUSTFMT }],
  [[/^cargo$/, /^(build|check|doc)$/], CARGO],
  [
    [/^cargo$/, /^tree$/],
    {
      ...CARGO,
      flags: `${CARGO_FLAGS} d i e duplicates no-dedupe`,
      texts: `${CARGO.texts!} invert prune depth prefix edges charset format`,
    },
  ],
  [[/^go$/, /^(test|build|vet|fmt|doc|list)$/], GO],
];
