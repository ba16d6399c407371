import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as TreeSitterModule from '@vscode/tree-sitter-wasm';
import type { Language, Parser, Query, Tree } from '@vscode/tree-sitter-wasm';
import { findLanguage } from './languages.js';

type TreeSitter = typeof TreeSitterModule;

const require = createRequire(import.meta.url);

/** A bundled service has the package beside its only file, others have it among their dependencies. */
const folder = (): string => {
  const beside = fileURLToPath(new URL('./grammars/', import.meta.url));
  return existsSync(join(beside, 'package.json')) ? beside : dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'));
};

let engine: Promise<TreeSitter> | undefined;
const loading = new Map<string, Promise<void>>();
const parsers = new Map<string, Parser>();
const languages = new Map<string, Language>();

/**
 * Loads what parses the language of a file, once; a process that edits no file of a language has nothing of it in memory. Nothing is
 * loaded for languages without a grammar.
 */
export async function loadGrammarFor(path: string): Promise<void> {
  const grammar = findLanguage(path).grammar;
  if (grammar === undefined) return;
  let started = loading.get(grammar);
  if (started === undefined) {
    started = load(grammar).catch(() => undefined); // units by indentation are right, too, only fewer edits are clear
    loading.set(grammar, started);
  }
  await started;
}

async function load(grammar: string): Promise<void> {
  const wasm = join(folder(), 'wasm');
  engine ??= startEngine(wasm);
  const { Language, Parser } = await engine;
  const parser = new Parser();
  const language = await Language.load(join(wasm, `tree-sitter-${grammar}.wasm`));
  parser.setLanguage(language);
  languages.set(grammar, language);
  parsers.set(grammar, parser);
}

async function startEngine(wasm: string): Promise<TreeSitter> {
  const loaded = require(join(wasm, 'tree-sitter.js')) as TreeSitter;
  await loaded.Parser.init();
  return loaded;
}

/** Longer texts are not parsed. */
const MAX_CHARACTERS = 500_000;
/** Reports of progress after which a text is given up, some 0.6 s: an honest text of that length needs less than two thirds. */
const MAX_PROGRESS = 10_000;

/** The tree of a text, which the caller deletes; nothing if its grammar isn't loaded, or the text is too hard. */
export function parse(grammar: string | undefined, text: string): Tree | undefined {
  const parser = grammar === undefined ? undefined : parsers.get(grammar);
  if (parser === undefined || text.length > MAX_CHARACTERS) return undefined;
  let reports = 0;
  const tree = parser.parse(text, null, { progressCallback: () => (reports += 1) > MAX_PROGRESS });
  if (tree === null) parser.reset();
  return tree ?? undefined;
}

/** What finds nodes in the trees of a grammar that is loaded; nothing for one that isn't. The caller keeps it. */
export async function makeQuery(grammar: string, source: string): Promise<Query | undefined> {
  const language = languages.get(grammar);
  const { Query } = (await engine) ?? {};
  return language && Query && new Query(language, source);
}
