/** Names that say their language without an extension, and extensions that the highlighter knows under another name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  cmakelists: 'cmake',
  mjs: 'js',
  cjs: 'js',
  mts: 'ts',
  cts: 'ts',
  jsonc: 'json',
  htm: 'html',
  vue: 'html',
  svelte: 'html',
  zsh: 'bash',
  h: 'cpp',
  pyi: 'py',
};

/** The language of a file as the highlighter calls it, guessed from its name; empty where the name says nothing. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  const key = dot > 0 ? name.slice(dot + 1) : name;
  return Object.hasOwn(LANGUAGES, key) ? LANGUAGES[key]! : dot > 0 ? key : '';
}
