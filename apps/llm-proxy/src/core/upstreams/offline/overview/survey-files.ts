/** What the paths of a project tell. */
export interface Survey {
  /** The languages with most files first. */
  readonly languages: readonly { readonly name: string; readonly files: number }[];
  /** Directories at the top, those with most files first. */
  readonly folders: readonly {
    readonly name: string;
    readonly files: number;
    readonly holds: readonly string[];
    readonly role?: string | undefined;
  }[];
  /** Files in which programs usually begin. */
  readonly entries: readonly string[];
  readonly files: number;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ts: 'TypeScript', tsx: 'TypeScript', mts: 'TypeScript', js: 'JavaScript', jsx: 'JavaScript', mjs: 'JavaScript', cjs: 'JavaScript' },
  ...{ py: 'Python', rs: 'Rust', go: 'Go', java: 'Java', kt: 'Kotlin', scala: 'Scala', rb: 'Ruby', php: 'PHP', cs: 'C#', swift: 'Swift' },
  ...{
    c: 'C',
    h: 'C',
    cc: 'C++',
    cpp: 'C++',
    hpp: 'C++',
    dart: 'Dart',
    ex: 'Elixir',
    exs: 'Elixir',
    hs: 'Haskell',
    lua: 'Lua',
    zig: 'Zig',
  },
  ...{
    vue: 'Vue',
    svelte: 'Svelte',
    html: 'HTML',
    css: 'CSS',
    scss: 'CSS',
    sql: 'SQL',
    sh: 'Shell',
    r: 'R',
    jl: 'Julia',
    ipynb: 'Notebooks',
  },
};

const ROLES: readonly (readonly [name: RegExp, role: string])[] = [
  [/^(?:src|source|lib|core|app)$/, 'the source'],
  [/^(?:tests?|spec|__tests__|e2e)$/, 'tests'],
  [/^(?:docs?|documentation)$/, 'documentation'],
  [/^(?:examples?|samples?|demo)$/, 'examples'],
  [/^packages$|^libs$|^crates$|^modules$/, 'packages of the workspace'],
  [/^(?:apps|services|cmd)$/, 'programs'],
  [/^(?:scripts|tools|bin)$/, 'scripts and tools'],
  [/^(?:public|static|assets)$/, 'static files'],
  [/^(?:bench|benchmarks?)$/, 'benchmarks'],
  [/^(?:deploy|infra|k8s|helm|terraform|docker)$/, 'deployment'],
  [/^\.(?:github|gitlab|circleci)$/, 'CI'],
];

const ENTRY =
  /^(?:(?:src|source|app|lib|cmd\/[^/]+)\/)?(?:main|index|app|server|cli|__main__|manage)\.(?:tsx?|mts|jsx?|mjs|py|rs|go|rb|php|java|kt|cs|c|cc|cpp)$|^src\/lib\.rs$/;
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|dist|build|target|vendor|\.venv|__pycache__)\//;

/** @param paths relative ones; directories end with a slash */
export function surveyFiles(paths: readonly string[]): Survey {
  const files = paths.filter((path) => !path.endsWith('/') && !SKIPPED.test(path));
  const languages = countBy(files, (path) => LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']);
  const folders = countBy(files, (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined));
  return {
    languages: languages.map(([name, count]) => ({ name, files: count })),
    folders: folders.map(([name, count]) => ({
      ...{ name, files: count, role: ROLES.find(([pattern]) => pattern.test(name))?.[1] },
      holds: countBy(files, (path) => (path.startsWith(`${name}/`) ? /^[^/]+\/([^/]+)\//.exec(path)?.[1] : undefined)).map(
        ([inner]) => inner,
      ),
    })),
    entries: files.filter((path) => ENTRY.test(path)),
    files: files.length,
  };
}

function countBy(files: readonly string[], keyOf: (path: string) => string | undefined): [key: string, count: number][] {
  const counts = new Map<string, number>();
  for (const path of files) {
    const key = keyOf(path);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
