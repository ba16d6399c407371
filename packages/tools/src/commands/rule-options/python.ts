import type { RuleOptions, RuleOptionsByWords } from './rule-options.js';

const PYTEST: RuleOptions = {
  style: 'joined',
  flags:
    'q v x s l h exitfirst verbose quiet lf last-failed ff failed-first nf new-first sw stepwise stepwise-skip co collect-only no-header no-summary ' +
    'showlocals no-showlocals disable-warnings fixtures markers strict-markers strict-config runxfail cache-show cache-clear setup-show setup-only ' +
    'durations maxfail tb color code-highlight verbosity cov no-cov cov-report cov-fail-under cov-branch cov-append timeout reruns version help',
  attached: 'r',
  texts: 'k m n numprocesses dist capture',
  paths: 'deselect ignore',
};

const UNITTEST: RuleOptions = {
  style: 'joined',
  flags: 'v q f b c h verbose quiet locals failfast catch buffer',
  texts: 'k p pattern durations',
  paths: 's t start-directory top-level-directory',
};

const RUFF: RuleOptions = {
  style: 'joined',
  flags:
    'q s v w n h fix fix-only no-fix unsafe-fixes no-unsafe-fixes diff show-fixes no-show-fixes show-files show-settings statistics quiet silent verbose watch ' +
    'exit-zero exit-non-zero-on-fix no-cache preview no-preview check isolated add-noqa help version',
  texts: 'select ignore extend-select extend-ignore fixable unfixable line-length target-version output-format exclude extend-exclude',
};

const BLACK: RuleOptions = {
  style: 'joined',
  flags:
    'q v h S C check diff color no-color quiet verbose fast safe preview skip-string-normalization skip-magic-trailing-comma version help',
  texts: 'l t W line-length target-version workers include exclude extend-exclude force-exclude required-version',
};

const MODULES: readonly (readonly [RegExp, RuleOptions])[] = [
  [/^pytest$/, PYTEST],
  [/^unittest$/, UNITTEST],
  [/^ruff$/, RUFF],
  [/^black$/, BLACK],
];

export const PYTHON: RuleOptionsByWords = MODULES.flatMap(([name, options]): RuleOptionsByWords => [
  [[name], options],
  [[/^python3?$/, /^-m$/, name], options],
]);
