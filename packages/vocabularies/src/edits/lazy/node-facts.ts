import type { Node } from '@codelab/grammars';

export const namedIn = ({ namedChildren }: Node): Node[] => namedChildren.filter((child) => child !== null);
export const childrenIn = ({ children }: Node): Node[] => children.filter((child) => child !== null);

/** What a unit is called, by the node that it is of. */
export interface NodeName {
  readonly kind: string;
  readonly name: string;
}

const WRAPPERS: Readonly<Record<string, string>> = {
  export_statement: 'declaration',
  decorated_definition: 'definition',
  ambient_declaration: '',
  template_declaration: '',
};

/** The node that a wrapper such as `export` is around. */
export function unwrap(node: Node): Node {
  let inner = node;
  for (let depth = 0; depth < 4; depth++) {
    const field = WRAPPERS[inner.type];
    if (field === undefined) return inner;
    const next = field === '' ? namedIn(inner).at(-1) : inner.childForFieldName(field);
    if (next === null || next === undefined) return inner;
    inner = next;
  }
  return inner;
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(generator_)?function(_declaration|_definition|_item)$/, 'function'],
  [/^(abstract_)?class(_declaration|_definition|_specifier)?$/, 'class'],
  [/^(lexical|variable|var|const)_declaration$/, 'variable'],
  [/^(public_)?field_(definition|declaration)$/, 'field'],
];

const DEFINITIONS =
  /^(?:generator_function|function|abstract_class|class|abstract_method|method|singleton_method|interface|struct|enum|union|trait|impl|mod|module|namespace|internal_module|constructor|destructor|record|annotation_type|macro|type|type_alias|const|static|property|delegate|event|field|public_field)(?:_(?:declaration|definition|item|specifier|signature))?$/;

const IMPORTS =
  /^(?:import_statement|import_declaration|import_from_statement|future_import_statement|use_declaration|using_directive|preproc_include|namespace_use_declaration|extern_crate_declaration|package_clause|package_declaration)$/;
const ENDS = /^(?:return|throw|raise|break|continue|goto)_(?:statement|expression)$/;

export const isComment = ({ type }: Node): boolean => type.endsWith('comment');
export const isImport = ({ type }: Node): boolean => IMPORTS.test(type);
/** What stands above a unit and belongs to it. */
export const isAttribute = ({ type }: Node): boolean => type === 'decorator' || type === 'attribute_item' || type === 'attribute_list';

const DECORATES = /^(?:decorator|annotation|marker_annotation|attribute_item|attribute_list|attribute_declaration)$/;

/** Where a definition begins behind decorators and the like, in rows from 0. */
export function headRow(node: Node): number {
  const inner = unwrap(node);
  return (firstPlain(inner) ?? inner).startPosition.row;
}

function firstPlain(node: Node): Node | undefined {
  for (const child of childrenIn(node)) {
    if (DECORATES.test(child.type) || isComment(child)) continue;
    if (child.type !== 'modifiers') return child;
    const inside = firstPlain(child);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

export const isEnd = (node: Node): boolean => {
  if (ENDS.test(node.type)) return true;
  const only = node.type === 'expression_statement' ? namedIn(node)[0] : undefined;
  return only !== undefined && ENDS.test(only.type);
};

/** Whether the node is a definition, wherever it stands; variables are only in a module or a class. */
export const isDefinition = (node: Node): boolean => DEFINITIONS.test(unwrap(node).type);

const short = (text: string): string => text.slice(0, 300).replace(/\s+/g, ' ').trim();

/** The kind and the name of what a node defines; nothing for most statements. `outermost`: assignments define, too. */
export function nameOf(node: Node, outermost: boolean): NodeName | undefined {
  const inner = unwrap(node);
  const name = plainName(inner, outermost);
  if (name === undefined || name === '') return undefined;
  const marks = inner.type === 'method_definition' ? childrenIn(inner).filter(({ type }) => /^(get|set|static)$/.test(type)) : [];
  const kind = KINDS.find(([pattern]) => pattern.test(inner.type))?.[1] ?? inner.type;
  return { kind: [kind, ...marks.map(({ type }) => type)].join(' '), name };
}

function plainName(node: Node, outermost: boolean): string | undefined {
  const field = (of: Node | null | undefined, name: string): string | undefined => {
    const found = of?.childForFieldName(name);
    return found === null || found === undefined ? undefined : short(found.text);
  };
  switch (node.type) {
    case 'method_declaration':
      return [field(node, 'receiver'), field(node, 'name')].filter((part) => part !== undefined).join(' ');
    case 'impl_item':
      return [field(node, 'trait'), field(node, 'type')].join(' for ');
    case 'pair':
      return field(node, 'key');
    case 'expression_statement': {
      const only = namedIn(node)[0];
      return outermost && /^assignment(_expression)?$/.test(only?.type ?? '') ? field(only, 'left') : undefined;
    }
    case 'function_definition':
    case 'field_declaration':
      return field(node, 'name') ?? field(node, 'declarator')?.split('(')[0];
    case 'declaration': {
      const type = node.childForFieldName('type');
      if (type !== null && type.childForFieldName('body') !== null) return field(type, 'name');
      return field(node, 'declarator')
        ?.split(/[=([{]/)[0]!
        .trim();
    }
    case 'type_definition': {
      const [declared] = node.childrenForFieldName('declarator');
      return declared?.descendantsOfType('type_identifier').find((found) => found !== null)?.text;
    }
    case 'lexical_declaration':
    case 'variable_declaration':
    case 'type_declaration':
    case 'const_declaration':
    case 'var_declaration': {
      const parts = namedIn(node).filter((child) => !isComment(child));
      const [part] = parts;
      if (part === undefined || parts.length > 1) return undefined;
      const isPattern = part.childForFieldName('name')?.type.endsWith('_pattern') === true;
      return isPattern ? `{} = ${field(part, 'value') ?? ''}` : field(part, 'name');
    }
    default:
      return field(node, 'name');
  }
}
