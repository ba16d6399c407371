/** What is known of the language of a file. */
export interface Language {
  /** Its grammar, if there is one. */
  readonly grammar?: string;
  /** What begins a comment up to the end of the line. */
  readonly line: readonly string[];
  /** What opens and closes a comment. */
  readonly block: readonly (readonly [string, string])[];
  /** What makes members of a class, or of an object, a whole text. */
  readonly wrappers?: Readonly<Record<string, readonly [string, string]>>;
}

const C_LIKE = { line: ['//'], block: [['/*', '*/']] } as const;
const HASH = { line: ['#'], block: [] } as const;
const JSX = [...C_LIKE.block, ['{/*', '*/}']] as const;
const CLASS = ['class Whole {', '}'] as const;
const SCRIPT = { class_body: CLASS, object: ['const whole = {', '};'] } as const;
const TYPED = { ...SCRIPT, interface_body: ['interface Whole {', '}'], object_type: ['interface Whole {', '}'] } as const;

const LANGUAGES: Readonly<Record<string, Language>> = {
  'js mjs cjs jsx': { ...C_LIKE, block: JSX, grammar: 'javascript', wrappers: SCRIPT },
  'ts mts cts': { ...C_LIKE, grammar: 'typescript', wrappers: TYPED },
  tsx: { ...C_LIKE, block: JSX, grammar: 'tsx', wrappers: TYPED },
  'py pyi gyp gypi': { ...HASH, grammar: 'python' },
  go: { ...C_LIKE, grammar: 'go' },
  rs: { ...C_LIKE, grammar: 'rust' },
  java: { ...C_LIKE, grammar: 'java', wrappers: { class_body: CLASS } },
  'c h cc cpp cxx hpp hh': { ...C_LIKE, grammar: 'cpp' },
  cs: { ...C_LIKE, grammar: 'c-sharp', wrappers: { declaration_list: CLASS } },
  rb: { ...HASH, grammar: 'ruby' },
  php: { line: ['//', '#'], block: C_LIKE.block, grammar: 'php' },
  css: { line: [], block: C_LIKE.block, grammar: 'css' },
  'sh bash': { ...HASH, grammar: 'bash' },
  'yml yaml toml ini cfg conf env pl pm r ex exs nix tf mk cmake dockerfile makefile gitignore properties': HASH,
  'scss less swift kt kts scala dart groovy gradle proto zig jsonc json5 m mm': C_LIKE,
  'vue svelte': { line: ['//'], block: [...C_LIKE.block, ['<!--', '-->']] },
  'html htm xml svg md markdown mdx': { line: [], block: [['<!--', '-->']] },
  'sql lua hs elm ada': { line: ['--'], block: C_LIKE.block },
  'lisp clj cljs el scm asm': { line: [';'], block: [] },
  'tex erl': { line: ['%'], block: [] },
};

const BY_ENDING: ReadonlyMap<string, Language> = new Map(
  Object.entries(LANGUAGES).flatMap(([endings, language]) => endings.split(' ').map((ending) => [ending, language] as const)),
);

/** Without comments of its own, only `// …` alone on a line stands for what is left out. */
const UNKNOWN: Language = { line: ['//'], block: [] };

/** The language of a file by the end of its name. */
export function findLanguage(path: string): Language {
  const name = path.split('/').at(-1)!.toLowerCase();
  return BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1)) ?? UNKNOWN;
}
