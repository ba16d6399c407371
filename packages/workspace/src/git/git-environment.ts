import { inheritedEnvironment, type Environment } from '../inherited-environment.js';

/** What every run has: nothing is asked, fetched, locked, paged, hooked, signed or watched, and file names are printed as they are. */
const CONFIG = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.quotePath': 'false',
  'core.askPass': '',
  'credential.helper': '',
  'diff.external': '',
  'gc.auto': '0',
  'log.showSignature': 'false',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'status.submoduleSummary': 'false',
  'submodule.recurse': 'false',
};

const VARIABLES: Environment = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

/** The variables by which git takes settings that overrule those of every file. */
const variablesOf = (config: Readonly<Record<string, string>>): Environment => {
  const pairs = Object.entries(config);
  return {
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${String(index)}`, name],
        [`GIT_CONFIG_VALUE_${String(index)}`, value],
      ]),
    ),
  };
};

/** Variables of a git that a command without an approval runs by itself. */
export const silentGitVariables = (): Environment => {
  const { 'diff.external': _left, ...kept } = CONFIG; // empty it would be run, where the command doesn't say --no-ext-diff
  return { ...VARIABLES, ...variablesOf({ ...kept, 'diff.ignoreSubmodules': 'dirty', 'diff.submodule': 'short' }) };
};

/** All variables of a git that we run. */
export const gitEnvironment = (root: string): Environment => ({
  ...inheritedEnvironment(root),
  ...VARIABLES,
  ...variablesOf(CONFIG),
  GIT_LITERAL_PATHSPECS: '1',
  LC_ALL: 'C.UTF-8',
});
