import type { RuleOptions, RuleOptionsByWords } from './rule-options.js';

const GRADLE: RuleOptions = {
  style: 'apart',
  operands: 'targets',
  flags:
    'q i d s S w m h quiet info debug warn stacktrace full-stacktrace daemon no-daemon parallel no-parallel offline continue rerun rerun-tasks build-cache ' +
    'no-build-cache configuration-cache no-configuration-cache dry-run no-rebuild help version',
  texts: 'x tests exclude-task console max-workers warning-mode',
};

/** A target may be the name of any plugin, which is fetched and run. */
const MAVEN: RuleOptions = {
  style: 'words',
  operands: 'targets',
  flags:
    'q B o e X U N am amd fae ff fn ntp nsu h v quiet batch-mode offline errors debug no-transfer-progress also-make fail-fast fail-at-end non-recursive',
  texts: 'T pl rf threads projects resume-from',
};

const DOTNET: RuleOptions = {
  style: 'apart',
  flags: 'no-build no-restore nologo',
  texts: 'c v configuration verbosity filter',
};

export const JVM_AND_DOTNET: RuleOptionsByWords = [
  [[/^gradle$|^\.\/gradlew$/], GRADLE],
  [[/^mvn$|^\.\/mvnw$/], MAVEN],
  [[/^dotnet$/, /^(test|build|format)$/], DOTNET],
];
