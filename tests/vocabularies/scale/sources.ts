import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type LanguageName = 'JavaScript' | 'TypeScript' | 'Python' | 'Java' | 'C++';

/** A file of a package, as its users have it. */
export interface SourceFile {
  readonly language: LanguageName;
  /** With its package: `rxjs/src/internal/Subject.ts`. */
  readonly path: string;
  readonly text: string;
}

/** Packages by language, with the endings of what is taken of them. */
const PACKAGES: Readonly<Record<LanguageName, { readonly names: string; readonly ending: RegExp }>> = {
  JavaScript: { names: 'express semver ws undici pino ioredis yaml commander fast-check', ending: /\.(?:c|m)?js$/ },
  TypeScript: { names: 'rxjs ajv zod openai ai @ai-sdk/provider-utils @anthropic-ai/sdk piscina', ending: /(?<!\.d)\.ts$/ },
  Python: { names: 'node-gyp', ending: /\.py$/ },
  Java: { names: 'cordova-plugin-file cordova-plugin-camera cordova-plugin-media', ending: /\.java$/ },
  'C++': { names: 'nan node-addon-api @parcel/watcher msgpackr-extract', ending: /\.(?:cc|cpp|h|c)$/ },
};

const STORE = new URL('../../../node_modules/.pnpm/', import.meta.url).pathname;
const MIN_LINES = 30;
const MAX_BYTES = 60_000;

/** At most so many files of each package, evenly spread over it. */
export function readSources(most: number): SourceFile[] {
  const folders = readdirSync(STORE).toSorted();
  return Object.entries(PACKAGES).flatMap(([language, { names, ending }]) =>
    names.split(' ').flatMap((name) => {
      const folder = folders.find((one) => one.startsWith(`${name.replace('/', '+')}@`));
      if (folder === undefined) return [];
      const root = join(STORE, folder, 'node_modules', name);
      const files = listFiles(root, '').filter((path) => ending.test(path) && !/\b(?:esm|dist-|umd|min\.)/.test(path));
      const texts = files
        .map((path) => ({ language: language as LanguageName, path: `${name}/${path}`, text: readFileSync(join(root, path), 'utf8') }))
        .filter(({ text }) => text.length < MAX_BYTES && text.split('\n').length >= MIN_LINES && !/^.{400}/m.test(text));
      const step = Math.max(1, texts.length / most);
      return Array.from({ length: Math.min(most, texts.length) }, (_none, place) => texts[Math.floor(place * step)]!);
    }),
  );
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
