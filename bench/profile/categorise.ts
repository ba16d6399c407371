/** A profile as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** Libraries by what they do for us; the first that fits counts. */
const LIBRARIES: readonly (readonly [category: string, modules: RegExp])[] = [
  ['Redis', /^(ioredis|@ioredis|redis-parser|redis-errors|standard-as-callback|denque|cluster-key-slot|bullmq|msgpackr)/],
  ['ws', /^ws@/],
  ['HTTP', /^(undici|express|router|send|body-parser|raw-body|qs|finalhandler)/],
  ['validation', /^(class-validator|class-transformer|validator|reflect-metadata)/],
  ['logs and metrics', /^(pino|sonic-boom|prom-client|thread-stream)/],
];
/** Modules of Node by the same categories; what isn't here is the runtime's own. */
const BUILT_IN: readonly (readonly [category: string, modules: RegExp])[] = [
  ['HTTP', /^node:(_http|internal\/http)/],
  ['hashing', /^node:(crypto|internal\/crypto)/],
  ['sockets and streams', /^node:(net|internal\/streams|internal\/stream_base_commons|stream|internal\/net)/],
];
/** Functions without a module, and those that `record.cjs` names. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code and system calls',
  jsonParse: 'JSON',
  jsonStringify: 'JSON',
};

/** The module that stands at a line of a bundle, by the comments that the bundler writes before each. */
export function modulesOf(bundle: string): (line: number) => string {
  const starts: { readonly line: number; readonly module: string }[] = [];
  bundle.split('\n').forEach((text, line) => {
    const [, module] = /^\/\/ ((?:\.\.\/|dist\/|\0)\S+)$/.exec(text) ?? [];
    if (module !== undefined) starts.push({ line, module });
  });
  return (line) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]!.line <= line) low = middle + 1;
      else high = middle;
    }
    return starts[low - 1]?.module ?? '';
  };
}

const categoryOfModule = (module: string, service: string): string => {
  const [, library] = /node_modules\/\.pnpm\/([^/]+)\//.exec(module) ?? [];
  if (library !== undefined) return LIBRARIES.find(([, pattern]) => pattern.test(library))?.[0] ?? 'other libraries';
  const [, own] = /(packages\/[a-z-]+)\//.exec(module) ?? [];
  return own ?? `apps/${service}`;
};

/**
 * Milliseconds of a profile by category, idle time left out. A native function or one of Node's own that is no category by itself belongs to
 * whoever called it.
 */
export function categorise(profile: CpuProfile, service: string, moduleAt: (line: number) => string): Map<string, number> {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const known = new Map<number, string>();
  const categoryOf = (id: number): string => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
    const parent = parents.get(id);
    const inherited = (): string => (parent === undefined ? 'the runtime of Node' : categoryOf(parent));
    let category: string;
    if (Object.hasOwn(FUNCTIONS, functionName)) category = FUNCTIONS[functionName]!;
    else if (url.endsWith('/dist/service.cjs')) category = categoryOfModule(moduleAt(lineNumber), service);
    else if (url === '') category = inherited();
    else if (url.startsWith('node:')) category = BUILT_IN.find(([, pattern]) => pattern.test(url))?.[0] ?? inherited();
    else category = categoryOfModule(url, service);
    known.set(id, category);
    return category;
  };
  const sums = new Map<string, number>();
  profile.samples.forEach((id, i) => {
    if (byId.get(id)?.callFrame.functionName === '(idle)') return;
    const category = categoryOf(id);
    sums.set(category, (sums.get(category) ?? 0) + (profile.timeDeltas[i] ?? 0) / 1000);
  });
  return sums;
}
