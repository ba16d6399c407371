import { parseDocument } from 'yaml';
import { isJsonObject, type JsonObject } from '../arguments/json.js';
import type { RuleFile } from './rule-file.js';
import { isShallowYaml } from './yaml-depth.js';

/** Longer front matter isn't read, in characters. */
const MAX_FRONT_MATTER = 16 * 1024;

/**
 * Reads a rule's file. It never fails: without front matter, or with one that can't be read, the rule is the whole text.
 * @param file its path or name, which names the rule if it doesn't do so itself
 */
export function parseRuleFile(file: string, text: string): RuleFile {
  const { fields, body } = readFrontMatter(text);
  return {
    name: textOf(fields.name) ?? nameOf(file),
    description: textOf(fields.description),
    globs: listOf(fields.globs),
    regex: listOf(fields.regex, false),
    alwaysApply: truthOf(fields.alwaysApply),
    rule: body.trim(),
  };
}

/** The front matter of a file, and what follows it. Without one, or with one that can't be read, all of it is the body. */
export function readFrontMatter(text: string): { readonly fields: JsonObject; readonly body: string } {
  const { head, body } = splitFrontMatter(text);
  const fields = head === undefined ? {} : readFields(head);
  return fields === undefined ? { fields: {}, body: text } : { fields, body };
}

const nameOf = (file: string): string => (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(md|mdc|markdown)$/i, '');

function splitFrontMatter(text: string): { readonly head?: string; readonly body: string } {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const isMark = (line: string): boolean => line.trimEnd() === '---';
  if (!isMark(lines[0]!)) return { body: text };
  const end = lines.findIndex((line, place) => place > 0 && isMark(line));
  if (end < 0) return { body: text };
  const head = lines
    .slice(1, end)
    .map((line) => line.trimEnd())
    .join('\n');
  return head.length > MAX_FRONT_MATTER ? { body: text } : { head, body: lines.slice(end + 1).join('\n') };
}

/** A glob that stands there without quotes, as people write it, means something else in YAML: `globs: *.ts` is a reference. */
const quoteGlobs = (head: string): string =>
  head.replace(/^((?:globs|regex)[ \t]*:[ \t]*|[ \t]*-[ \t]+)([*!&{@%].*)$/gm, (_all, key: string, value: string) =>
    value.startsWith('{') && value.trimEnd().endsWith('}') && value.includes(':')
      ? key + value
      : `${key}'${value.trimEnd().replaceAll("'", "''")}'`,
  );

const readFields = (head: string): JsonObject | undefined => {
  try {
    const quoted = quoteGlobs(head);
    if (!isShallowYaml(quoted)) return undefined;
    const document = parseDocument(quoted, { logLevel: 'silent' });
    if (document.errors.length > 0) return undefined;
    const fields: unknown = document.toJS({ maxAliasCount: 10 });
    if (fields === null) return {};
    return isJsonObject(fields) ? fields : undefined;
  } catch {
    // Too many references: the front matter is no honest one.
    return undefined;
  }
};

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

const truthOf = (value: unknown): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
};

function listOf(value: unknown, commas = true): readonly string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);
  const items = commas ? texts.flatMap(splitGlobs) : texts;
  return items.length === 0 ? undefined : items;
}

/** `*.ts, src/{a,b}/**` → two globs: commas inside braces belong to the glob. */
function splitGlobs(text: string): string[] {
  const globs = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === ',' && depth <= 0) globs.push('');
    else globs[globs.length - 1] += char;
  }
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== '');
}
