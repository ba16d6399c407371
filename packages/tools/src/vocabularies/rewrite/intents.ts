import type { JsonObject } from '../../arguments/json.js';
import type { VocabularyName } from '../vocabulary-names.js';

/** What a use was for, whatever the words: what the vocabularies have in common. */
export type Intent =
  | { readonly kind: 'read'; readonly path: string; readonly offset?: number | undefined; readonly limit?: number | undefined }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string; readonly all: boolean }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'search'; readonly pattern: string; readonly path?: string | undefined }
  | { readonly kind: 'files'; readonly pattern: string };

/** A use in the words of a vocabulary. */
export interface UseWords {
  readonly name: string;
  readonly args: JsonObject;
}

/** How a vocabulary says an intent, and what its words mean; nothing where it has no words for it. */
interface Tongue {
  readonly say: (intent: Intent) => UseWords | undefined;
  readonly hear: (name: string, args: JsonObject) => Intent | undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const present = (fields: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject =>
  Object.fromEntries<JsonObject[string]>(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
const toEdit = (path: unknown, from: unknown, to: unknown, all?: unknown): Intent => ({
  ...{ kind: 'edit', path: text(path), from: text(from), to: text(to) },
  all: all === true,
});

const codelab: Tongue = {
  say: (intent) => {
    if (intent.kind === 'read') return { name: 'read_file', args: { path: intent.path } };
    if (intent.kind === 'write') return { name: 'write_file', args: { path: intent.path, content: intent.content } };
    if (intent.kind === 'command') return { name: 'run_command', args: { command: intent.command } };
    if (intent.kind === 'files') return { name: 'list_files', args: { recursive: true, pattern: intent.pattern } };
    if (intent.kind !== 'search') return undefined;
    return { name: 'search_in_project', args: present({ query: intent.pattern, path: intent.path, regex: true }) };
  },
  hear: (name, args) => {
    if (name === 'read_file') return { kind: 'read', path: text(args.path) };
    if (name === 'write_file') return { kind: 'write', path: text(args.path), content: text(args.content) };
    if (name === 'run_command') return { kind: 'command', command: text(args.command) };
    if (name === 'search_in_project') return { kind: 'search', pattern: text(args.query), path: text(args.path) || undefined };
    return name === 'list_files' && typeof args.pattern === 'string' ? { kind: 'files', pattern: args.pattern } : undefined;
  },
};

const agent: Tongue = {
  say: (intent) => {
    if (intent.kind === 'read')
      return { name: 'read_file', args: present({ path: intent.path, offset: intent.offset, limit: intent.limit }) };
    if (intent.kind === 'search') return { name: 'search', args: present({ pattern: intent.pattern, path: intent.path }) };
    if (intent.kind !== 'edit') return codelab.say(intent);
    const { path, from, to, all } = intent;
    return { name: 'edit_file', args: present({ path, old_string: from, new_string: to, replace_all: all || undefined }) };
  },
  hear: (name, args) => {
    if (name === 'read_file') return { kind: 'read', path: text(args.path), offset: number(args.offset), limit: number(args.limit) };
    if (name === 'search') return { kind: 'search', pattern: text(args.pattern), path: text(args.path) || undefined };
    if (name === 'edit_file') return toEdit(args.path, args.old_string, args.new_string, args.replace_all);
    return codelab.hear(name, args);
  },
};

const claudeCode: Tongue = {
  say: (intent) => {
    switch (intent.kind) {
      case 'read':
        return { name: 'Read', args: present({ file_path: intent.path, offset: intent.offset, limit: intent.limit }) };
      case 'write':
        return { name: 'Write', args: { file_path: intent.path, content: intent.content } };
      case 'command':
        return { name: 'Bash', args: { command: intent.command } };
      case 'search':
        return { name: 'Grep', args: present({ pattern: intent.pattern, path: intent.path, output_mode: 'content' }) };
      case 'files':
        return { name: 'Glob', args: { pattern: intent.pattern } };
      case 'edit': {
        const { path, from, to, all } = intent;
        return { name: 'Edit', args: present({ file_path: path, old_string: from, new_string: to, replace_all: all || undefined }) };
      }
    }
  },
  hear: (name, args) => {
    if (name === 'Read') return { kind: 'read', path: text(args.file_path), offset: number(args.offset), limit: number(args.limit) };
    if (name === 'Write') return { kind: 'write', path: text(args.file_path), content: text(args.content) };
    if (name === 'Edit') return toEdit(args.file_path, args.old_string, args.new_string, args.replace_all);
    if (name === 'Bash') return { kind: 'command', command: text(args.command) };
    if (name === 'Grep') return { kind: 'search', pattern: text(args.pattern), path: text(args.path) || undefined };
    return name === 'Glob' ? { kind: 'files', pattern: text(args.pattern) } : undefined;
  },
};

const EDITOR = 'str_replace_based_edit_tool';
const textEditor: Tongue = {
  say: (intent) => {
    if (intent.kind === 'command') return { name: 'bash', args: { command: intent.command } };
    if (intent.kind === 'write') return { name: EDITOR, args: { command: 'create', path: intent.path, file_text: intent.content } };
    if (intent.kind === 'edit' && !intent.all) {
      return { name: EDITOR, args: { command: 'str_replace', path: intent.path, old_str: intent.from, new_str: intent.to } };
    }
    if (intent.kind !== 'read') return undefined;
    const { path, offset, limit } = intent;
    const view_range = offset === undefined ? undefined : [offset, limit === undefined ? -1 : offset + limit - 1];
    return { name: EDITOR, args: present({ command: 'view', path, view_range }) };
  },
  hear: (name, args) => {
    if (name === 'bash') return typeof args.command === 'string' ? { kind: 'command', command: args.command } : undefined;
    if (name !== EDITOR) return undefined;
    if (args.command === 'create') return { kind: 'write', path: text(args.path), content: text(args.file_text) };
    if (args.command === 'str_replace') return toEdit(args.path, args.old_str, args.new_str);
    if (args.command !== 'view') return undefined;
    const [first, last] = Array.isArray(args.view_range) ? args.view_range.map(number) : [];
    const limit = first === undefined || last === undefined || last < first ? undefined : last - first + 1;
    return { kind: 'read', path: text(args.path), offset: first, limit };
  },
};

const continueTongue: Tongue = {
  say: (intent) => {
    switch (intent.kind) {
      case 'read': {
        const { path, offset, limit } = intent;
        if (offset === undefined || limit === undefined) return { name: 'read_file', args: { filepath: path } };
        return { name: 'read_file_range', args: { filepath: path, startLine: offset, endLine: offset + limit - 1 } };
      }
      case 'write':
        return { name: 'create_new_file', args: { filepath: intent.path, contents: intent.content } };
      case 'command':
        return { name: 'run_terminal_command', args: { command: intent.command } };
      case 'search':
        return { name: 'grep_search', args: { query: intent.pattern } };
      case 'files':
        return { name: 'file_glob_search', args: { pattern: intent.pattern } };
      case 'edit': {
        const { path, from, to, all } = intent;
        const args = { filepath: path, old_string: from, new_string: to, replace_all: all || undefined };
        return { name: 'single_find_and_replace', args: present(args) };
      }
    }
  },
  hear: (name, args) => {
    const path = text(args.filepath);
    const first = number(args.startLine);
    if (name === 'read_file') return { kind: 'read', path };
    if (name === 'read_file_range')
      return { kind: 'read', path, offset: first, limit: (number(args.endLine) ?? first ?? 1) - (first ?? 1) + 1 };
    if (name === 'create_new_file') return { kind: 'write', path, content: text(args.contents) };
    if (name === 'run_terminal_command') return { kind: 'command', command: text(args.command) };
    if (name === 'grep_search') return { kind: 'search', pattern: text(args.query) };
    if (name === 'file_glob_search') return { kind: 'files', pattern: text(args.pattern) };
    return name === 'single_find_and_replace' ? toEdit(path, args.old_string, args.new_string, args.replace_all) : undefined;
  },
};

/** By vocabulary. */
export const TONGUES: { readonly [Name in VocabularyName]: Tongue } = {
  codelab,
  agent,
  continue: continueTongue,
  'claude-code': claudeCode,
  'text-editor': textEditor,
};
