import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type LanguageName = 'JavaScript' | 'TypeScript' | 'Python' | 'Java' | 'C++' | 'Go' | 'Rust';

/** A file of a package, as its users have it. */
export interface SourceFile {
  readonly language: LanguageName;
  /** With its package: `rxjs/src/internal/Subject.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Languages, with the packages that bring sources of them, and the endings of what is taken. */
const LANGUAGES: Readonly<Record<LanguageName, { readonly names: string; readonly ending: RegExp }>> = {
  JavaScript: { names: 'express semver ws undici pino ioredis yaml commander fast-check', ending: /\.(?:c|m)?js$/ },
  TypeScript: { names: 'rxjs ajv zod openai ai @ai-sdk/provider-utils @anthropic-ai/sdk piscina', ending: /(?<!\.d)\.ts$/ },
  Python: { names: 'node-gyp', ending: /\.py$/ },
  Java: { names: 'cordova-plugin-file cordova-plugin-camera cordova-plugin-media', ending: /\.java$/ },
  'C++': { names: 'nan node-addon-api @parcel/watcher msgpackr-extract', ending: /\.(?:cc|cpp|h|c)$/ },
  Go: { names: '', ending: /\.go$/ },
  Rust: { names: '', ending: /\.rs$/ },
};

const STORE = new URL('../../../node_modules/.pnpm/', import.meta.url).pathname;
const MIN_LINES = 30;
const MAX_BYTES = 60_000;

/** Files of the packages, at most so many of each, evenly spread over it; or of a folder, for each language in it. */
export function readSources(most: number, folder?: string): SourceFile[] {
  const stored = folder === undefined ? readdirSync(STORE).toSorted() : [];
  return (Object.keys(LANGUAGES) as LanguageName[]).flatMap((language) => {
    if (folder !== undefined) return readPackage({ language, name: '', root: folder }, most);
    return LANGUAGES[language].names.split(' ').flatMap((name) => {
      const at = stored.find((one) => name !== '' && one.startsWith(`${name.replace('/', '+')}@`));
      return at === undefined ? [] : readPackage({ language, name, root: join(STORE, at, 'node_modules', name) }, most);
    });
  });
}

interface Package {
  readonly language: LanguageName;
  readonly name: string;
  readonly root: string;
}

function readPackage({ language, name, root }: Package, most: number): SourceFile[] {
  const { ending } = LANGUAGES[language];
  const files = listFiles(root, '').filter((path) => ending.test(path) && !/\b(?:esm|dist-|umd|min\.)/.test(path));
  const texts = files
    .map((path) => ({ language, path: name === '' ? path : `${name}/${path}`, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => text.length < MAX_BYTES && text.split('\n').length >= MIN_LINES && !/^.{400}/m.test(text));
  const step = Math.max(1, texts.length / most);
  return Array.from({ length: Math.min(most, texts.length) }, (_none, place) => texts[Math.floor(place * step)]!);
}

function listFiles(root: string, under: string): string[] {
  if (!existsSync(join(root, under))) return [];
  return readdirSync(join(root, under), { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = under === '' ? entry.name : `${under}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(root, path);
      return entry.isFile() ? [path] : [];
    });
}
