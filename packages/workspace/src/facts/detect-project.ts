import { maskSecrets } from '@codelab/tools';

/** What a project is built and tested with. */
export interface ProjectTools {
  readonly package_manager?: string;
  readonly test_command?: string;
}

/** The top of a project: the names in it, and the text of a file there, '' where it can't be read. */
export interface ProjectTop {
  readonly names: ReadonlySet<string>;
  readonly read: (name: string) => Promise<string>;
}

type Detector = (top: ProjectTop) => Promise<ProjectTools | undefined>;

const LOCKS = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
] as const;

const parseManifest = (text: string): { readonly scripts?: Readonly<Record<string, unknown>>; readonly packageManager?: unknown } => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // a manifest that is being edited says nothing
  }
};

/** What `npm init` writes is no test. */
const isTest = (script: unknown): script is string => typeof script === 'string' && !script.includes('no test specified');

/** Characters of a script that are told behind the command that runs it: what else than tests it runs. */
const MAX_SCRIPT = 200;
const inShort = (script: string): string => maskSecrets(script.replaceAll(/\s+/g, ' '), new Set()).text.slice(0, MAX_SCRIPT);

const detectNode: Detector = async ({ names, read }) => {
  if (!names.has('package.json')) return undefined;
  const { scripts, packageManager } = parseManifest(await read('package.json'));
  const named = typeof packageManager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] : undefined;
  const manager = named ?? LOCKS.find(([lock]) => names.has(lock))?.[1] ?? 'npm';
  const script = scripts?.['test'];
  const test = isTest(script) ? `${manager}${manager === 'bun' ? ' run' : ''} test # ${inShort(script)}` : undefined;
  return { package_manager: manager, test_command: test };
};

const detectPython: Detector = async ({ names, read }) => {
  const project = names.has('pyproject.toml') ? await read('pyproject.toml') : undefined;
  if (project === undefined && !['setup.py', 'requirements.txt', 'pytest.ini', 'Pipfile'].some((name) => names.has(name))) return undefined;
  const manager = names.has('uv.lock')
    ? 'uv'
    : names.has('poetry.lock') || project?.includes('[tool.poetry') === true
      ? 'poetry'
      : names.has('Pipfile')
        ? 'pipenv'
        : undefined;
  const usesPytest = names.has('pytest.ini') || names.has('conftest.py') || names.has('tests') || project?.includes('pytest') === true;
  const run = manager === undefined ? '' : `${manager} run `;
  return { package_manager: manager ?? 'pip', test_command: usesPytest ? `${run}pytest` : undefined };
};

/** Projects that one file gives away. */
const BY_FILE: readonly (readonly [file: string, tools: ProjectTools])[] = [
  ['Cargo.toml', { package_manager: 'cargo', test_command: 'cargo test' }],
  ['go.mod', { package_manager: 'go', test_command: 'go test ./...' }],
  ['mvnw', { package_manager: 'maven', test_command: './mvnw test' }],
  ['pom.xml', { package_manager: 'maven', test_command: 'mvn test' }],
  ['gradlew', { package_manager: 'gradle', test_command: './gradlew test' }],
  ['build.gradle', { package_manager: 'gradle', test_command: 'gradle test' }],
  ['build.gradle.kts', { package_manager: 'gradle', test_command: 'gradle test' }],
  ['deno.json', { package_manager: 'deno', test_command: 'deno test' }],
  ['mix.exs', { package_manager: 'mix', test_command: 'mix test' }],
];

const detectByFile: Detector = ({ names }) => Promise.resolve(BY_FILE.find(([file]) => names.has(file))?.[1]);

const detectMake: Detector = async ({ names, read }) => {
  if (!names.has('Makefile')) return undefined;
  return { package_manager: 'make', test_command: /^test[ \t]*:/m.test(await read('Makefile')) ? 'make test' : undefined };
};

const DETECTORS = [detectNode, detectPython, detectByFile, detectMake];

/** Looks at the top of a project for what builds and tests it. The first kind that is found counts; a later one may say how to test. */
export async function detectProject(top: ProjectTop): Promise<ProjectTools> {
  const found: ProjectTools[] = [];
  for (const detect of DETECTORS) found.push((await detect(top)) ?? {});
  return {
    package_manager: found.find(({ package_manager }) => package_manager !== undefined)?.package_manager,
    test_command: found.find(({ test_command }) => test_command !== undefined)?.test_command,
  };
}
