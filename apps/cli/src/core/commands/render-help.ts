import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line } from '../text/span.js';
import { truncateLine, wrapSpans } from '../text/wrap-spans.js';
import { CHAT_KEYS } from './chat-keys.js';
import type { CustomCommand } from './custom-command.js';
import { usageOf, type SlashCommand } from './slash-command.js';

type Rows = readonly (readonly [name: string, does: string])[];

/** Narrower than that a command stands above what it does. */
const WIDE_COLUMNS = 72;

/** Draws `/help`: the commands, those that people wrote, the keys. */
export function renderHelp(commands: readonly SlashCommand[], customs: readonly CustomCommand[], width: number): readonly Line[] {
  const ours = commands.map((command) => [usageOf(command), command.does] as const);
  const own = customs.map(
    ({ name, hint, description, scope }) =>
      [sanitiseLine(usageOf({ name, takes: hint }), 100), `${description}${scope === 'user' ? ' (yours)' : ''}`] as const,
  );
  const column = Math.max(...[...ours, ...CHAT_KEYS].map(([name]) => name.length)) + 2;
  const table = (title: string, rows: Rows): readonly Line[] => [
    [span(title, 'strong')],
    ...rows.flatMap((row) => renderRow(row, column, width)),
  ];
  return [
    ...table('Commands', ours),
    [],
    ...table('Commands of this folder, and yours', [...own, ...HOW_TO]),
    [],
    ...table('Keys', CHAT_KEYS),
  ];
}

const HOW_TO: Rows = [['/NAME [text]', 'sends what .codelab/commands/NAME.md says, with the text for $ARGUMENTS']];

function renderRow([name, does]: Rows[number], column: number, width: number): readonly Line[] {
  if (width < WIDE_COLUMNS) return [truncateLine([span(`  ${name}`)], width), ...wrapMuted(does, width, 6)];
  const [first = [], ...rest] = wrapMuted(does, width, column + 2);
  return [[span(`  ${name.padEnd(column)}`), ...first.slice(1)], ...rest];
}

function wrapMuted(text: string, width: number, indent: number): readonly Line[] {
  const margin = [span(' '.repeat(indent))];
  return wrapSpans([span(sanitiseLine(text, 300), 'muted')], { width, first: margin, rest: margin });
}
