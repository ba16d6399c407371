import { Ajv, type ValidateFunction } from 'ajv';
import { isAlias, isCollection, isMap, isScalar, LineCounter, parseDocument, type Node } from 'yaml';
import { tellProblem, type FileWords, type Problem } from './tell-problem.js';

const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true });
ajv.addFormat('base-url', isBaseUrl);
ajv.addFormat('owner', /^(?:\*|[^/]+\/.+)$/);

ajv.addFormat('host-pattern', /^(?:\*\.)?[A-Za-z0-9_.:[\]-]+$/);

/** Where a problem stands. */
export interface PlacedProblem extends Problem {
  /** From 1; of what is missing, the line of what it is missing from. */
  readonly line: number;
}

/** A file of settings as it stands, and what its schema has to say against it. */
export interface ReadFile {
  readonly value: unknown;
  /** Every problem, each once, in the order of the schema. */
  readonly problems: readonly PlacedProblem[];
  /** Puts a problem that no schema sees into its place. */
  readonly place: (problem: Problem) => PlacedProblem;
}

/** A kind of file: its rules and its words. */
export interface FileKind {
  readonly validate: ValidateFunction;
  readonly words: FileWords;
}

/** @param schema may use the format `base-url` */
export const fileKind = (schema: object, words: FileWords): FileKind => ({ validate: ajv.compile(schema), words });

/** A text that is no YAML: a sentence for each place where it isn't. */
export class YamlError extends Error {
  override readonly name = 'YamlError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Reads a file of settings. Says everything that is wrong with it, and repeats none of its values. Throws `YamlError`. */
export function readYamlFile(text: string, { validate, words }: FileKind): ReadFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: true, lineCounter });
  const broken = document.errors.map(({ code, linePos }) => `Line ${String(linePos?.[0].line ?? 1)} is no YAML (${code}).`);
  if (broken.length > 0) throw new YamlError(broken);
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  const place = (problem: Problem): PlacedProblem => ({
    ...problem,
    line: lineCounter.linePos(offsetOf(document.contents, problem.keys)).line,
  });
  if (validate(value)) return { value, problems: [], place };
  const errors = (validate.errors ?? []).filter(({ keyword, propertyName }) => keyword === 'propertyNames' || propertyName === undefined);
  const told = errors.map((error) => tellProblem(error, value, words));
  return { value, problems: [...new Map(told.map((problem) => [problem.sentence, place(problem)])).values()], place };
}

/** Where the last of the names begins that is there. */
function offsetOf(contents: unknown, keys: readonly string[]): number {
  let node = contents;
  let offset = (contents as Node | null)?.range?.[0] ?? 0;
  for (const key of keys) {
    if (!isCollection(node)) break;
    const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === key) : undefined;
    const next = pair === undefined ? node.get(key, true) : pair.value;
    const at = (pair?.key ?? next) as Node | null | undefined;
    if (at?.range) offset = at.range[0];
    if (next === undefined || isAlias(next)) break;
    node = next;
  }
  return offset;
}

function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
}
