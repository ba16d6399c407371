import type { Node, Tree } from '@codelab/grammars';
import { childrenIn, headRow, isAttribute, isComment, isDefinition, isEnd, isImport, nameOf, namedIn } from './node-facts.js';
import { type Body, type Source, Unclear, type Unit } from './units.js';

/** Nodes whose children are units, where each of them has lines of its own. */
const CONTAINERS = new Set(
  (
    'program module source_file translation_unit compilation_unit stylesheet ' +
    'object_pattern interface_type var_spec_list statement_block class_body object array switch_body interface_body object_type enum_body jsx_element arguments named_imports export_clause ' +
    'block dictionary list argument_list set tuple field_declaration_list literal_value import_spec_list const_declaration var_declaration ' +
    'declaration_list enum_variant_list match_block field_initializer_list use_list array_expression constructor_body array_initializer ' +
    'switch_block compound_statement enumerator_list initializer_list preproc_ifdef preproc_if body_statement enum_member_declaration_list'
  ).split(' '),
);
/** Containers without brackets: they begin below what is before them. */
const INDENTED: Readonly<Record<string, string>> = { block: ':', body_statement: '' };
/** Parts of a condition that end where the next one begins. */
const BRANCHES = /^preproc_(?:else|elif|elifdef)$/;
/** Bodies in which variables and assignments are definitions. */
const OUTER = /^(program|module|source_file|translation_unit|compilation_unit|class_body|declaration_list|field_declaration_list)$/;
const TRANSPARENT = new Set(['statement_list', 'enum_body_declarations']);

/** Nodes looked at, at most: a file of 15,000 lines has so many, and they take some 2 s. */
const MAX_NODES = 80_000;
/** Deeper bodies are not entered. */
const MAX_DEPTH = 60;

/** Counts nodes before they are looked at. */
type Visit = (count: number) => void;

function budget(): Visit {
  let visited = 0;
  return (count) => {
    visited += count;
    if (visited > MAX_NODES) throw new Unclear(undefined, 'the file has too many parts');
  };
}

const within = (node: Node, visit: Visit): Node[] => {
  visit(node.namedChildCount);
  return namedIn(node);
};

export interface TreeReader {
  readonly lines: readonly string[];
  /** Lines that are placeholders. */
  readonly placeholders: ReadonlySet<number>;
}

/** The units of a parsed text, whose rows are those of `lines`. */
export function readTree(tree: Tree, { lines, placeholders }: TreeReader): Source {
  const quoted = new Set<number>();
  const root = tree.rootNode;
  const visit = budget();

  const lastRow = ({ startPosition, endPosition }: Node): number =>
    endPosition.column === 0 && endPosition.row > startPosition.row ? endPosition.row - 1 : endPosition.row;

  /** Rows of a node that are not blank: texts between tags begin and end with line ends. */
  const rowsOf = (node: Node): readonly [number, number] => {
    let [first, last] = [node.startPosition.row, lastRow(node)];
    if (node.type === 'jsx_text') {
      if (first < last) first += 1;
      while (first < last && lines[first]!.trim() === '') first += 1;
      while (last > first && lines[last]!.trim() === '') last -= 1;
    }
    while (last > first && lines[last]!.trim() === '') last -= 1;
    return [first, last];
  };

  const childrenOf = (node: Node): Node[] =>
    within(node, visit).flatMap((child) => {
      if (TRANSPARENT.has(child.type)) return childrenOf(child);
      return child.type === 'jsx_text' && child.text.trim() === '' ? [] : [child];
    });

  const bodyIn = (node: Node, depth: number): Body | undefined => {
    if (BRANCHES.test(node.type)) return bodyOf(node.type, node.startPosition.row + 1, rowsOf(node)[1], branchOf(node), depth);
    const isIndented = INDENTED[node.type] !== undefined && !/^[{(]/.test(node.text.slice(0, 1));
    const area = isIndented ? indentedArea(node) : bracketedArea(node);
    return area === undefined ? undefined : bodyOf(node.type, area[0], area[1], area[2], depth);
  };

  const branchOf = (node: Node): Node[] => childrenOf(node).filter((child) => child.startPosition.row > node.startPosition.row);

  const bracketedArea = (node: Node): readonly [number, number, Node[]] | undefined => {
    const isElement = node.type === 'jsx_element';
    const first = isElement ? lastRow(namedIn(node)[0]!) : node.startPosition.row;
    const last = isElement ? namedIn(node).at(-1)!.startPosition.row : lastRow(node);
    let children = childrenOf(node);
    if (isElement) children = children.slice(1, -1);
    if (node.type.startsWith('preproc')) children = children.slice(1);
    children = children.filter((child) => !(isComment(child) && lastRow(child) === first));
    if (last - first < 1 || children.some((child) => rowsOf(child)[0] <= first || rowsOf(child)[1] >= last)) return undefined;
    if (!/^[\s)\]}<>/#\w,;.]*/.test(lines[last]!)) return undefined;
    return [first + 1, last - 1, children];
  };

  const indentedArea = (node: Node): readonly [number, number, Node[]] | undefined => {
    let [before, after] = [node.previousSibling, node.nextSibling];
    const around: Node[] = [];
    while (before !== null && isComment(before)) {
      around.push(before);
      before = before.previousSibling;
    }
    const indent = /^\s*/.exec(lines[node.startPosition.row]!)![0].length;
    let last = rowsOf(node)[1];
    while (after !== null && isComment(after) && after.startPosition.column >= indent && after.startPosition.row > last) {
      around.push(after);
      last = lastRow(after);
      after = after.nextSibling;
    }
    if (before === null) return undefined;
    const first = lastRow(before) + 1;
    if (node.startPosition.row < first || (after !== null && after.startPosition.row <= last)) return undefined;
    const own = around.filter((comment) => comment.startPosition.row >= first);
    return [first, last, [...childrenOf(node), ...own]];
  };

  const bodiesIn = (node: Node, depth: number): Body[] => {
    if (depth > MAX_DEPTH) return [];
    const found: Body[] = [];
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.startPosition.row === lastRow(next)) continue;
      const body = CONTAINERS.has(next.type) || BRANCHES.test(next.type) ? bodyIn(next, depth + 1) : undefined;
      if (body !== undefined) found.push(body);
      else for (const child of within(next, visit).toReversed()) open.push(child);
    }
    return found.toSorted((one, other) => one.first - other.first);
  };

  const bodyOf = (type: string, first: number, last: number, children: readonly Node[], depth: number): Body => {
    const groups: { first: number; last: number; nodes: Node[] }[] = [];
    const ordered = children.toSorted((one, other) => one.startIndex - other.startIndex);
    for (const node of ordered) {
      const [from, to] = rowsOf(node);
      const group = groups.at(-1);
      if (group !== undefined && from <= group.last) {
        group.last = Math.max(group.last, to);
        group.nodes.push(node);
      } else groups.push({ first: from, last: to, nodes: [node] });
    }
    const units: Unit[] = [];
    let above: { first: number; last: number; start?: number } | undefined;
    const flush = (): void => {
      if (above !== undefined) units.push(lone(above.first, above.last));
      above = undefined;
    };
    for (const { first: from, last: to, nodes } of groups) {
      const isAbove = above?.last === from - 1;
      if (from === to && placeholders.has(from)) {
        flush();
        units.push({ kind: 'placeholder', key: '', first: from, start: from, last: to, bodies: [] });
        continue;
      }
      const leads = nodes.every(isComment) || nodes.every(isAttribute);
      if (!isAbove) flush();
      if (leads) {
        const start = nodes.every(isAttribute) ? (above?.start ?? from) : above?.start;
        above = { first: above?.first ?? from, last: to, start };
        continue;
      }
      units.push(unitOf(nodes, { first: above?.first ?? from, start: above?.start ?? from, last: to }, type, depth));
      above = undefined;
    }
    flush();
    return { type, first, last, units: covering(units, first, last) };
  };

  const lone = (first: number, last: number): Unit => ({
    ...{ kind: 'statement', key: lines[first]!.trim(), first, start: first, last, bodies: [], isComment: true },
  });

  const unitOf = (nodes: readonly Node[], rows: Pick<Unit, 'first' | 'start' | 'last'>, type: string, depth: number): Unit => {
    const main = nodes.filter((node) => !isComment(node));
    const [node] = main;
    const outermost = OUTER.test(type);
    const named = main.length === 1 && node !== undefined && !isImport(node) ? nameOf(node, outermost) : undefined;
    const defines = named !== undefined && (isDefinition(node!) || (outermost && /^(variable|expression_statement)/.test(named.kind)));
    return {
      kind: defines ? 'definition' : 'statement',
      key: named === undefined ? `line ${lines[rows.start]!.trim()}` : `${named.kind} ${named.name}`,
      name: named?.name,
      isImport: node !== undefined && isImport(node),
      isEnd: node !== undefined && isEnd(node),
      ...faultsOf(nodes),
      ...rows,
      head: node === undefined ? undefined : Math.max(rows.start, headRow(node)),
      bodies: main.length === 1 ? bodiesIn(node!, depth) : [],
    };
  };

  const faultsOf = (nodes: readonly Node[]): Pick<Unit, 'errors' | 'isOpen'> => {
    const broken = nodes.filter(({ hasError }) => hasError);
    const found = broken.flatMap((node) => errorsIn(node, visit));
    return { errors: found.length, isOpen: found.some(({ isMissing, type }) => isMissing && /^[)\]}]$/.test(type)) };
  };

  /** Lines of tokens that are no nodes belong to the unit before them. */
  const covering = (units: Unit[], first: number, last: number): Unit[] => {
    for (const [place, unit] of units.entries()) {
      const limit = (units[place + 1]?.first ?? last + 1) - 1;
      let end = limit;
      while (end > unit.last && lines[end]!.trim() === '') end -= 1;
      if (end > unit.last) units[place] = { ...unit, last: end, bodies: unit.kind === 'placeholder' ? [] : unit.bodies };
    }
    const [one] = units;
    let begin = first;
    while (one !== undefined && begin < one.first && lines[begin]!.trim() === '') begin += 1;
    if (one !== undefined && begin < one.first) units[0] = { ...one, first: begin, start: begin };
    return units;
  };

  const errors = errorsIn(root, visit).length;
  markQuoted(root, quoted, visit);
  return { lines, root: bodyOf(root.type, 0, lines.length - 1, childrenOf(root), 0), errors, quoted, placeholders };
}

function errorsIn(root: Node, visit: Visit): Node[] {
  const errors: Node[] = [];
  const open = root.hasError ? [root] : [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visit(node.hasError ? node.childCount : 0);
    if (node.isError || node.isMissing) errors.push(node);
    if (node.hasError) for (const child of childrenIn(node)) open.push(child);
  }
  return errors;
}

/** Lines on which a string of several lines goes on: what stands before them is part of it. */
function markQuoted(root: Node, quoted: Set<number>, visit: Visit): void {
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const [from, to] = [node.startPosition.row, node.endPosition.row];
    if (from === to) continue;
    const isText = /string|template|heredoc|raw_text|char/.test(node.type) && !node.type.startsWith('template_');
    if (node.type === 'string' && node.parent?.type === 'expression_statement') continue;
    if (isText || node.type === 'template_string') for (let row = from + 1; row <= to; row++) quoted.add(row);
    else for (const child of within(node, visit)) open.push(child);
  }
}

/** Syntax errors of a text, whose tree is deleted. */
export function countSyntaxErrors(tree: Tree | undefined): number | undefined {
  if (tree === undefined) return undefined;
  try {
    return errorsIn(tree.rootNode, budget()).length;
  } finally {
    tree.delete();
  }
}
