export type { Node, Query, Tree } from '@vscode/tree-sitter-wasm';
export { loadGrammarFor, makeQuery, parse } from './grammars.js';
export { findLanguage, type Language } from './languages.js';
