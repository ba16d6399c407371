import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { linter, type Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import { hoverTooltip, type EditorView } from '@codemirror/view';
import type { JsonSchema } from '@codelab/protocol';
import { alternativesOf, findJsonFaults, isObject, nameType, typesOf, type JsonPath } from './find-json-faults.js';

type Tree = ReturnType<typeof syntaxTree>;
type Node = Tree['topNode'];

/** Milliseconds. */
const PARSE_MS = 200;

/** The tree of the whole text: the editor itself reads only as much as it has time for. */
const treeOf = (state: EditorState): Tree => ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);

/** Completes, explains and checks JSON by a schema. */
export const jsonHints = (schema: JsonSchema | undefined): Extension => [
  linter(lint(schema), { delay: 250 }),
  autocompletion({ override: [complete(schema)], icons: false }),
  hoverTooltip((view, at) => {
    const node = treeOf(view.state).resolveInner(at, -1);
    const path = pathOfNode(view.state, node);
    const words = describe(schemaAt(schema, path));
    if (path.length === 0 || words === '') return null;
    return { pos: node.from, end: node.to, above: true, create: () => ({ dom: tooltip(String(path.at(-1)), words) }) };
  }),
];

function tooltip(name: string, words: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cl-hint';
  const title = document.createElement('strong');
  title.textContent = name;
  dom.append(title, ` ${words}`);
  return dom;
}

/** What is wrong with the text, by lines: that it is no JSON, or that it doesn't fit. */
export const lint =
  (schema: JsonSchema | undefined) =>
  ({ state }: Pick<EditorView, 'state'>): readonly Diagnostic[] => {
    const text = state.doc.toString();
    const value = parse(text);
    if (!value.ok) return [{ ...placeOfSyntaxFault(state), severity: 'error', message: value.message }];
    if (!isObject(value.value)) return [{ from: 0, to: text.length, severity: 'error', message: 'The arguments are an object: { … }.' }];
    return findJsonFaults(schema, value.value).map(({ path, message, isName }) => ({
      ...placeOfPath(state, path, isName ?? false),
      severity: 'error',
      message,
    }));
  };

/** Reads JSON; the message of a fault names no place: the editor shows it. */
export function parse(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return {
      ok: false,
      message: text.trim() === '' ? 'There is nothing here: { } is the least.' : 'This is no JSON: something is missing or too much here.',
    };
  }
}

function placeOfSyntaxFault(state: EditorState): { readonly from: number; readonly to: number } {
  let found: { from: number; to: number } | undefined;
  treeOf(state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) found ??= { from, to: Math.max(to, Math.min(from + 1, state.doc.length)) };
    },
  });
  return found ?? { from: 0, to: state.doc.length };
}

function placeOfPath(state: EditorState, path: JsonPath, isName: boolean): { readonly from: number; readonly to: number } {
  let node: Node | null | undefined = valueOf(treeOf(state).topNode);
  let name: Node | undefined;
  for (const step of path) {
    if (node == null) break;
    const property: JsonProperty | undefined =
      typeof step === 'number' ? undefined : propertiesOf(state, node).find((one) => one.name === step);
    name = property?.nameNode;
    node = typeof step === 'number' ? valuesOf(node)[step] : property?.node.lastChild;
  }
  const place = (isName ? name : node) ?? name ?? treeOf(state).topNode;
  const end = place.name === 'Object' || place.name === 'Array' ? Math.min(place.to, state.doc.lineAt(place.from).to) : place.to;
  return { from: place.from, to: end };
}

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);
const childrenOf = (node: Node): readonly Node[] => {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};
const valuesOf = (node: Node): readonly Node[] => childrenOf(node).filter(({ name }) => VALUES.has(name));
const valueOf = (node: Node): Node | undefined => valuesOf(node)[0];

interface JsonProperty {
  readonly name: string;
  readonly nameNode: Node;
  readonly node: Node;
}

function propertiesOf(state: EditorState, object: Node): readonly JsonProperty[] {
  return object.getChildren('Property').flatMap((node) => {
    const nameNode = node.getChild('PropertyName');
    return nameNode === null ? [] : [{ name: unquote(state.sliceDoc(nameNode.from, nameNode.to)), nameNode, node }];
  });
}

const unquote = (text: string): string => {
  const read = parse(text);
  return read.ok && typeof read.value === 'string' ? read.value : text.replace(/^"|"$/g, '');
};

/** Where in the value a node stands. */
export function pathOfNode(state: EditorState, node: Node): JsonPath {
  const path: (string | number)[] = [];
  for (let at: Node | null = node; at !== null; at = at.parent) {
    if (at.name === 'Property') {
      const name = at.getChild('PropertyName');
      if (name !== null) path.unshift(unquote(state.sliceDoc(name.from, name.to)));
    } else if (at.parent?.name === 'Array') {
      const { from } = at;
      const index = valuesOf(at.parent).findIndex((value) => value.from === from);
      if (index >= 0) path.unshift(index);
    }
  }
  return path;
}

/** The schema of what stands at a path. */
export function schemaAt(schema: JsonSchema | undefined, path: JsonPath): JsonSchema | undefined {
  if (path.length === 0 || !isObject(schema)) return schema;
  const options = alternativesOf(schema);
  if (options !== undefined) return options.map((option) => schemaAt(option, path)).find((found) => found !== undefined);
  const [step, ...rest] = path;
  const { properties, additionalProperties, items } = schema as Readonly<Record<string, unknown>>;
  const next =
    typeof step === 'number' ? items : isObject(properties) && Object.hasOwn(properties, step!) ? properties[step!] : additionalProperties;
  return isObject(next) ? schemaAt(next, rest) : undefined;
}

/** What a schema says of its value, in a few words. */
export function describe(schema: JsonSchema | undefined): string {
  if (!isObject(schema)) return '';
  const { description, default: fallback } = schema as { readonly description?: unknown; readonly default?: unknown };
  const kind = typesOf(schema).map(nameType).join(' or ');
  return [
    typeof description === 'string' ? description : '',
    kind && `(${kind}${fallback === undefined ? '' : `, ${JSON.stringify(fallback)} if left out`})`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What stands between names and values: the node around it is meant. */
const MARKS = new Set(['[', '{', ',', ']', '}', ':']);

/** Names that an object may still have, and values that a property may have. */
export const complete =
  (schema: JsonSchema | undefined) =>
  (context: CompletionContext): CompletionResult | null => {
    const { state, pos, explicit } = context;
    const found = treeOf(state).resolveInner(pos, -1);
    const node = MARKS.has(found.name) && found.parent ? found.parent : found;
    const word = context.matchBefore(/"?[\w.-]*/);
    const from = word?.from ?? pos;
    if (!explicit && (word === null || word.from === word.to)) return null;
    const inName = node.name === 'PropertyName' || node.name === 'Object' || (node.type.isError && node.parent?.name === 'Object');
    const options = inName ? names(schema, state, node) : values(schemaAt(schema, placeOfValue(state, node)));
    return options.length === 0 ? null : { from: node.name === 'PropertyName' || node.name === 'String' ? node.from : from, options };
  };

/** Where a value stands that is being written: in a list it may not be there yet. */
const placeOfValue = (state: EditorState, node: Node): JsonPath => {
  const path = pathOfNode(state, node);
  return node.name === 'Array' ? [...path, 0] : path;
};

function names(schema: JsonSchema | undefined, state: EditorState, node: Node): readonly Completion[] {
  const object = findUp(node, 'Object');
  if (object === undefined) return [];
  const known = schemaAt(schema, pathOfNode(state, object));
  const properties = isObject(known) && isObject(known['properties']) ? known['properties'] : {};
  const inside = findUp(node, 'Property')?.getChild('PropertyName');
  const own = inside == null ? undefined : unquote(state.sliceDoc(inside.from, inside.to));
  const used = new Set(propertiesOf(state, object).map(({ name }) => name));
  const isNew = node.name !== 'PropertyName' || inside?.nextSibling == null;
  return Object.entries(properties)
    .filter(([name]) => name === own || !used.has(name))
    .map(([name, property]) => ({
      label: JSON.stringify(name),
      apply: isNew ? `${JSON.stringify(name)}: ` : JSON.stringify(name),
      info: describe(property as JsonSchema) || undefined,
      type: 'property',
    }));
}

function values(schema: JsonSchema | undefined): readonly Completion[] {
  if (!isObject(schema)) return [];
  const { enum: choices, const: only, default: fallback } = schema as Readonly<Record<string, unknown>>;
  const known = Array.isArray(choices) ? choices : only !== undefined ? [only] : typesOf(schema).includes('boolean') ? [true, false] : [];
  const all =
    fallback !== undefined && !known.includes(fallback) ? [fallback, ...(known as readonly unknown[])] : (known as readonly unknown[]);
  return all.map((value) => ({ label: JSON.stringify(value), type: 'constant' }));
}

function findUp(node: Node, name: string): Node | undefined {
  for (let at: Node | null = node; at !== null; at = at.parent) if (at.name === name) return at;
  return undefined;
}
