import { findScriptFiles, type CodeFiles } from './interpreters.js';
import { findOperandFault } from '../parse/operand-fault.js';
import { isForeignProgram, programName } from '../parse/program-name.js';

type Finder = (args: readonly string[]) => CodeFiles;

const NONE: CodeFiles = { files: [], certain: true };
const certain = (...files: string[]): CodeFiles => ({ files, certain: files.every((file) => findOperandFault(file) === undefined) });
const uncertain = (...files: string[]): CodeFiles => ({ files, certain: false });

const RUNS_SCRIPT = /^(run|run-script|test|t|tst|start|stop|restart)$/;

/** Commands of pnpm, yarn and bun that are no scripts; whatever else stands there is the name of one. */
const BUILT_IN =
  /^(add|install|i|ci|remove|rm|un|uninstall|up|update|upgrade|why|list|ls|ll|outdated|audit|init|create|dlx|exec|x|info|view|publish|pack|link|unlink|config|cache|dedupe|import|prune|store|root|bin|fetch|rebuild|patch|env|setup|login|logout|whoami|help|version|licenses|workspace|workspaces|self-update|server|pm|repl)$/;

/** What `bun` takes for a file where there is no script of that name. */
const LOOKS_LIKE_FILE = /\/|\.[cm]?[jt]sx?$/;

/** Options by which a package manager runs other scripts, or scripts by another program. */
const npm =
  (passesOn: boolean): Finder =>
  (args) => {
    const at = args.findIndex((arg) => !arg.startsWith('-'));
    const verb = args[at];
    if (verb === undefined || !(passesOn ? !BUILT_IN.test(verb) : RUNS_SCRIPT.test(verb))) {
      return args.every((arg) => /^[a-z]/i.test(arg) || arg.startsWith('--save')) ? NONE : uncertain();
    }
    const before = args.slice(0, at);
    const after = args.slice(at + 1, args.includes('--') ? args.indexOf('--') : undefined);
    const own = passesOn ? before : [...before, ...after.filter((arg) => arg.startsWith('-'))];
    const script = /^(run|run-script)$/.test(verb) ? args.slice(at + 1).find((arg) => !arg.startsWith('-')) : verb;
    const files = ['package.json', ...(script !== undefined && LOOKS_LIKE_FILE.test(script) ? [script] : [])];
    return own.every((arg) => /^(-s|--silent|--if-present)$/.test(arg)) ? certain(...files) : uncertain(...files);
  };

/** A tool that reads one file which says what to run. `file`: the options that name another one. */
const recipes =
  (standard: string, file: RegExp, harmless: RegExp): Finder =>
  (args) => {
    const files: string[] = [];
    for (let at = 0; at < args.length; at += 1) {
      const arg = args[at]!;
      const named = file.exec(arg);
      if (named !== null) files.push(named[1] === undefined || named[1] === '' ? (args[(at += 1)] ?? '') : named[1]);
      else if ((arg.startsWith('-') && !harmless.test(arg)) || arg.includes('='))
        return uncertain(...(files.length > 0 ? files : [standard]));
    }
    return certain(...(files.length > 0 ? files : [standard]));
  };

/** Any option that matches makes a program run code from elsewhere. */
const unless =
  (options: RegExp, ...files: string[]): Finder =>
  (args) =>
    args.some((arg) => options.test(arg)) ? uncertain(...files) : certain(...files);

const compose = recipes(
  'compose.yaml',
  /^(?:-f|--file)(?:=(.+))?$/,
  /^(-d|--detach|--build|--no-deps|--rm|--wait|--pull|-v|--volumes|--remove-orphans)$/,
);

const docker: Finder = (args) => (args[0] === 'compose' ? compose(args.slice(1)) : NONE);

/** Options before the subcommand steer git itself; of those behind it these name programs. */
const git: Finder = (args) => {
  const verb = args.findIndex((arg) => !arg.startsWith('-'));
  const before = verb < 0 ? args : args.slice(0, verb);
  const steers = before.some((arg) => !/^(--no-pager|-P|--version|--help)$/.test(arg));
  const runs = args.some((arg) => /^--(upload-pack|receive-pack|exec|ext-diff|open-files-in-pager|template)(=|$)/.test(arg));
  return steers || runs ? uncertain() : NONE;
};

const PROGRAMS: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ['npm', npm(false)],
  ['pnpm', npm(true)],
  ['yarn', npm(true)],
  ['bun', npm(true)],
  ['make', recipes('Makefile', /^(?:-f|--file|--makefile)=?(.*)$/, /^(-[Bbikmnqrst]+|-j\d*|--(silent|always-make|dry-run|keep-going))$/)],
  ['gmake', recipes('Makefile', /^(?:-f|--file|--makefile)=?(.*)$/, /^(-[Bbikmnqrst]+|-j\d*)$/)],
  ['just', recipes('justfile', /^(?:-f|--justfile)(?:=(.+))?$/, /^(--list|-l|--dry-run|-n|--quiet|-q)$/)],
  ['task', recipes('Taskfile.yml', /^(?:-t|--taskfile)(?:=(.+))?$/, /^(--list|-l|--silent|-s)$/)],
  ['rake', recipes('Rakefile', /^(?:-f|--rakefile)(?:=(.+))?$/, /^(-[nqst]|--(silent|quiet|tasks))$/)],
  ['docker', docker],
  ['docker-compose', compose],
  ['cargo', unless(/^(--config|-Z|-C|--manifest-path)/)],
  ['go', unless(/^-{1,2}(exec|toolexec|vettool|overlay|modfile|o|C|ldflags|gcflags)(=|$)/)],
  ['dotnet', unless(/^(?!--?(no-build|no-restore|nologo|configuration|c|filter|verbosity|v)\b)[-/@]/)],
  ['pytest', unless(/^(-p|-c|-o|--(rootdir|confcutdir|override-ini|config-file|import-mode))/)],
  ['gradle', unless(/^(-[bcIpDP]|--(build-file|settings-file|init-script|project-dir|include-build))/, 'build.gradle')],
  ['mvn', unless(/^(-[fsDgt]|--(file|settings|global-settings|toolchains))/, 'pom.xml')],
  ['git', git],
]);

/** Finds the files of the workspace whose code a command runs. */
export function findCodeFiles(words: readonly string[], fed: boolean): CodeFiles {
  const [first, ...args] = words;
  if (first === undefined) return NONE;
  if (isForeignProgram(first)) return certain(first);
  return findScriptFiles(words, fed) ?? PROGRAMS.get(programName(first))?.(args) ?? NONE;
}
