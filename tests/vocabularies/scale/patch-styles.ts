import { indentOf } from './blocks-of.js';
import type { Change } from './changes.js';
import type { LazyText } from './lazy-styles.js';
import type { Random } from './random.js';

/** Lines of context that a model gives around a change. */
const contextOf = ({ before, at, deleted }: Change, lines: number): { from: number; to: number } => ({
  from: Math.max(0, at - lines),
  to: Math.min(before.length, at + deleted + lines),
});

/** An edit that names lines of the file and what they become. */
export interface StatedText extends LazyText {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

const statedBy = (body: readonly string[], fault: (line: string) => string): Pick<StatedText, 'old' | 'now'> => ({
  old: body.filter((line) => !line.startsWith('+')).map((line) => fault(line.slice(1))),
  now: body.filter((line) => !line.startsWith('-')).map((line) => fault(line.slice(1))),
});

/** A SEARCH/REPLACE block with the faults of models: too little context, indentation lost, blanks at line ends lost. */
export function writeBlock(change: Change, random: Random): StatedText {
  const { from, to } = contextOf(change, random.pick([1, 2, 3, 3, 4])!);
  const search = change.before.slice(from, to);
  const replace = [...change.before.slice(from, change.at), ...change.added, ...change.before.slice(change.at + change.deleted, to)];
  const style = random.pick(['plain', 'plain', 'indent lost', 'blanks lost'] as const)!;
  const fault = faultOf(style, [...search, ...replace]);
  const [old, now] = [search.map(fault), replace.map(fault)];
  return { style, old, now, text: ['------- SEARCH', ...old, '=======', ...now, '+++++++ REPLACE'].join('\n') };
}

/** A unified diff with wrong counts, wrong or missing numbers, a context that lost its blanks, names without prefixes. */
export function writeDiff(change: Change, path: string, random: Random): StatedText {
  const { from, to } = contextOf(change, random.pick([2, 3, 3, 4])!);
  const body = bodyOf(change, from, to);
  const style = random.pick([
    'right',
    'wrong counts',
    'wrong line',
    'bare @@',
    'no @@',
    'signs lost',
    'indent lost',
    'no prefix',
  ] as const)!;
  const [old, now] = [to - from, to - from + change.added.length - change.deleted];
  const off = random.below(7) + 1;
  const line = style === 'wrong line' ? Math.max(1, from + 1 + random.below(80) - 40) : from + 1;
  const counts = style === 'wrong counts' ? [old + off, now + random.below(5)] : [old, now];
  const header =
    style === 'bare @@'
      ? ['@@']
      : style === 'no @@'
        ? []
        : [`@@ -${String(line)},${String(counts[0])} +${String(line)},${String(counts[1])} @@`];
  const fault = faultOf(
    style,
    body.map((one) => one.slice(1)),
  );
  const lines = style === 'signs lost' ? body.map((one) => (one === ' ' ? '' : one)) : body.map((one) => one[0]! + fault(one.slice(1)));
  const names = style === 'no prefix' ? [`--- ${path}`, `+++ ${path}`] : [`--- a/${path}`, `+++ b/${path}`];
  return { style, ...statedBy(body, fault), text: [...names, ...header, ...lines].join('\n') };
}

/** `*** Begin Patch`, with an anchor above or without. */
export function writeEnvelope(change: Change, path: string, random: Random): LazyText | StatedText {
  const { from, to } = contextOf(change, random.pick([1, 2, 3, 3])!);
  const style = random.pick(['plain', 'anchor', 'two anchors', 'indent lost'] as const)!;
  const heads = change.around.map(({ first }) => change.before[first]!.trim());
  const anchors = style === 'anchor' ? heads.slice(-1) : style === 'two anchors' ? heads.slice(-2) : [];
  const body = bodyOf(change, from, to);
  const fault = faultOf(
    style,
    body.map((line) => line.slice(1)),
  );
  const lines = body.map((line) => line[0]! + fault(line.slice(1)));
  const marks = anchors.length === 0 ? ['@@'] : anchors.map((anchor) => `@@ ${anchor}`);
  return {
    style,
    ...(anchors.length === 0 ? statedBy(body, fault) : {}), // with anchors its lines alone don't say where
    text: ['*** Begin Patch', `*** Update File: ${path}`, ...marks, ...lines, '*** End Patch'].join('\n'),
  };
}

const bodyOf = ({ before, at, deleted, added }: Change, from: number, to: number): string[] => [
  ...before.slice(from, at).map((line) => ` ${line}`),
  ...before.slice(at, at + deleted).map((line) => `-${line}`),
  ...added.map((line) => `+${line}`),
  ...before.slice(at + deleted, to).map((line) => ` ${line}`),
];

/** What happens to each line on its way through a model. */
function faultOf(style: string, lines: readonly string[]): (line: string) => string {
  if (style === 'blanks lost') return (line) => line.trimEnd();
  if (style !== 'indent lost') return (line) => line;
  const filled = lines.filter((line) => line.trim() !== '');
  const indent = Math.min(...filled.map(indentOf));
  return (line) => line.slice(Math.min(indent, indentOf(line)));
}
