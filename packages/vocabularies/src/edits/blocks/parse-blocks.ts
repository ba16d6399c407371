/** Lines that must be in a file, once, and the lines that stand there instead afterwards. None to search: the start of the file. */
export interface Block {
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

export type ParsedBlocks = { readonly ok: true; readonly blocks: readonly Block[] } | { readonly ok: false; readonly message: string };

/** Blocks of one call, so that the work that a call asks for has a bound. */
const MAX_BLOCKS = 200;

/**
 * Reads SEARCH/REPLACE blocks:
 * ```
 * ------- SEARCH
 * lines
 * =======
 * lines
 * +++++++ REPLACE
 * ```
 * Marks have three or more signs; `<<<<<<< SEARCH` and `>>>>>>> REPLACE` are taken, too. Text between blocks is ignored, lines inside are
 * taken as they are. A line of a block that looks like a mark makes it unclear, unless it has another length than the opening mark.
 * @param diffs one block each, or several
 */
export function parseBlocks(diffs: readonly string[]): ParsedBlocks {
  const blocks: Block[] = [];
  for (const [place, diff] of diffs.entries()) {
    const parsed = parseDiff(diff.split('\n'));
    if (typeof parsed === 'string') return { ok: false, message: `Error: diff ${String(place + 1)} ${parsed}` };
    blocks.push(...parsed);
  }
  if (blocks.length > MAX_BLOCKS)
    return { ok: false, message: `Error: ${String(blocks.length)} blocks; one call takes ${String(MAX_BLOCKS)}` };
  return { ok: true, blocks };
}

const INCOMPLETE = 'has no complete SEARCH/REPLACE block';

interface Mark {
  readonly kind: 'open' | 'divide' | 'end';
  readonly line: number;
  readonly length: number;
}

const KINDS = { open: /^(-{3,}|<{3,}) SEARCH\s*$/, divide: /^(={3,})\s*$/, end: /^(\+{3,}|>{3,}) REPLACE\s*$/ } as const;

const marksOf = (lines: readonly string[]): Mark[] =>
  lines.flatMap((text, line) =>
    Object.entries(KINDS).flatMap(([kind, pattern]) => {
      const signs = pattern.exec(text)?.[1];
      return signs === undefined ? [] : [{ kind: kind as Mark['kind'], line, length: signs.length }];
    }),
  );

/** The blocks of one text, or what is wrong with it. */
function parseDiff(lines: readonly string[]): Block[] | string {
  const blocks: Block[] = [];
  let marks = marksOf(lines);
  for (;;) {
    const open = marks.find(({ kind }) => kind !== 'divide');
    if (open === undefined) return blocks.length === 0 ? INCOMPLETE : blocks;
    if (open.kind === 'end') return INCOMPLETE;
    const next = marks.find(({ kind, line, length }) => kind === 'open' && line > open.line && length === open.length);
    const inside = marks.filter(({ line }) => line > open.line && line < (next?.line ?? lines.length));
    const end = pick(inside, 'end', open.length);
    if (typeof end === 'string') return end;
    const isNested = inside.some(({ kind, line }) => kind === 'open' && line < end.line);
    if (isNested && end.length !== open.length) return INCOMPLETE;
    const divider = pick(
      inside.filter(({ line }) => line < end.line),
      'divide',
      open.length,
    );
    if (typeof divider === 'string') return divider;
    blocks.push({ search: lines.slice(open.line + 1, divider.line), replace: lines.slice(divider.line + 1, end.line) });
    marks = marks.filter(({ line }) => line > end.line);
  }
}

/** The only mark of its kind, else the only one as long as the opening mark. */
function pick(marks: readonly Mark[], kind: 'divide' | 'end', length: number): Mark | string {
  const all = marks.filter((mark) => mark.kind === kind);
  if (all.length === 0) return INCOMPLETE;
  const fitting = all.length === 1 ? all : all.filter((mark) => mark.length === length);
  if (fitting.length === 1) return fitting[0]!;
  const what = kind === 'divide' ? 'dividers' : 'end marks';
  const count = `${String(all.length)} ${what}, ${fitting.length === 0 ? 'none' : String(fitting.length)} as long as its SEARCH mark`;
  return `has a block with ${count}; write all three marks with more signs than any line of the content has`;
}

/** The first block, from 1, that would change nothing. */
export const findBlockFault = (blocks: readonly Block[]): number | undefined => {
  const at = blocks.findIndex(
    ({ search, replace }) => search.length === replace.length && search.every((line, place) => line === replace[place]),
  );
  return at < 0 ? undefined : at + 1;
};
