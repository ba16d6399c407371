import { type Block, blocksOf, indentOf, insideOf, isWhole } from './blocks-of.js';
import type { Change } from './changes.js';
import type { Random } from './random.js';
import type { LanguageName } from './sources.js';

const WORDS = [
  '... existing code ...',
  '... rest of the code ...',
  '…',
  '... existing methods ...',
  '... rest of code unchanged ...',
  '...',
];

const NAMED =
  /^\s*(?:(?:export|public|private|protected|static|async|get|set)\s+)*(?:(?:function\*?|class|def|interface)\s+\w+|(?!if|for|while|switch|return|catch|with|throws?\b)\w+\()[^;]*[{:,(]\s*$/;

/** How a change is written as a lazy edit; the name of the style and the text. */
export interface LazyText {
  readonly style: string;
  readonly text: string;
}

/** Writes a change as a model does that leaves out what stays; nothing where the style doesn't suit it. */
export function writeLazily(change: Change, language: LanguageName, random: Random): LazyText | undefined {
  const style = random.pick(['whole', 'tight', 'member', 'inside', 'fragment', 'bare'] as const)!;
  const { after, before, around } = change;
  const grown = after.length - before.length;
  const mark = language === 'Python' ? '#' : '//';
  const placeholder = (indent = ''): string => `${indent}${mark} ${random.pick(WORDS)!}`;
  const outer = around[0]!;
  // a new definition stands behind its block: both are shown
  const top: Block = { first: outer.first, last: outer.last + grown };
  const shown = (block: Block): string[] => after.slice(block.first, block.last + 1);
  const framed = (lines: readonly string[]): string => {
    const gap = style === 'tight' ? [] : [''];
    const has = (from: number, to: number): boolean => after.slice(from, to).some((line) => line.trim() !== '');
    const above = has(0, top.first) ? [placeholder(), ...gap] : [];
    const below = has(top.last + 1, after.length) ? [...gap, placeholder()] : [];
    return [...above, ...lines, ...below].join('\n');
  };
  if (change.kind === 'define' && style !== 'whole' && style !== 'tight') return undefined;
  switch (style) {
    case 'whole':
    case 'tight':
      return { style, text: framed(shown(top)) };
    case 'fragment':
      return { style, text: dedented(shown(top)).join('\n') };
    case 'bare': {
      // only what has a name can be found without what is around it
      const member = around[1];
      const head =
        member === undefined ? undefined : after.slice(member.first, member.last + 1).find((line) => !/^\s*(?:\/?\*|\/\/|#|@)/.test(line));
      if (member === undefined || head === undefined || !NAMED.test(head)) return undefined;
      return { style, text: dedented(shown({ first: member.first, last: member.last + grown })).join('\n') };
    }
    case 'member':
    case 'inside': {
      const block = style === 'inside' ? around.at(-1)! : outer;
      if (style === 'inside' && block !== outer && around.length > 2) return undefined;
      const inner = lazyInside(block, style === 'inside' || change.kind === 'delete' || change.kind === 'insert' ? 1 : 0);
      if (inner === undefined) return undefined;
      if (block === outer) return { style, text: framed(inner) };
      const wrapped = lazyAround(outer, block, inner);
      return wrapped === undefined ? undefined : { style, text: framed(wrapped) };
    }
  }

  /** A block with placeholders for what stands in it before and after the change. */
  function lazyInside(block: Block, context: number): string[] | undefined {
    const inside = insideOf(before, block);
    if (inside === undefined) return undefined;
    const parts = blocksOf(before, inside.first, inside.last);
    const touched = parts.flatMap(({ first, last }, place) =>
      last >= change.at && first < change.at + Math.max(1, change.deleted) ? [place] : [],
    );
    const [one, other] = [touched[0], touched.at(-1)];
    if (one === undefined || other === undefined) return undefined;
    const [from, to] = [Math.max(0, one - context), Math.min(parts.length - 1, other + context)];
    if (from === 0 && to === parts.length - 1) return undefined;
    const shows = { first: parts[from]!.first, last: parts[to]!.last };
    const hides = { first: inside.first, last: shows.first - 1 };
    if (!isWhole(before, shows) || !isWhole(before, hides)) return undefined; // a part of a string, which no placeholder can stand for
    const indent = before[parts[0]!.first]!.slice(0, indentOf(before[parts[0]!.first]!));
    return [
      ...before.slice(block.first, inside.first),
      ...(from > 0 ? [placeholder(indent)] : []),
      ...after.slice(parts[from]!.first, parts[to]!.last + grown + 1),
      ...(to < parts.length - 1 ? [placeholder(indent)] : []),
      ...before.slice(inside.last + 1, block.last + 1),
    ];
  }

  function lazyAround(block: Block, part: Block, inner: readonly string[]): string[] | undefined {
    const inside = insideOf(before, block);
    if (inside === undefined) return undefined;
    const indent = before[part.first]!.slice(0, indentOf(before[part.first]!));
    return [
      ...before.slice(block.first, inside.first),
      ...(part.first > inside.first ? [placeholder(indent), ''] : []),
      ...inner,
      ...(part.last < inside.last ? ['', placeholder(indent)] : []),
      ...before.slice(inside.last + 1, block.last + 1),
    ];
  }
}

const dedented = (lines: readonly string[]): string[] => {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map(indentOf));
  return lines.map((line) => line.slice(Math.min(indent, indentOf(line))));
};
