import { isJsonObject, type JsonObject } from '@codelab/tools';
import { failed } from '../claude-code/read-marks.js';
import { cutLine, fitLines, MAX_RESULT } from '../render/shown-lines.js';
import { textIn } from '../render/text-in.js';
import { canonicalError } from '../table/composite.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';

/** Lines that are shown of one place; the rest is for whoever reads the file. */
const MAX_LINES = 24;

/** A place: where it is, then its lines, with numbers as a file is read with. */
const show = (hit: JsonObject, toShown: (path: string) => string): readonly string[] => {
  const start = typeof hit.start_line === 'number' ? hit.start_line : 1;
  const lines = textIn(hit, 'text').replace(/\n$/, '').split('\n');
  const more = lines.length > MAX_LINES ? [`  … ${String(lines.length - MAX_LINES)} more lines`] : [];
  const shown = lines.slice(0, MAX_LINES).map((line, index) => `  ${String(start + index)}: ${cutLine(line)}`);
  return [`${toShown(textIn(hit, 'path'))}:${String(start)}-${textIn(hit, 'end_line')}`, ...shown, ...more];
};

const codebaseRow = (grep: string, isAbsolute: boolean) =>
  defineRow<{ readonly query: string; readonly limit: number }>({
    name: 'codebase',
    displayName: 'Search the code',
    description: `Finds code by what it is about, best places first: "where are login attempts limited?". For exact words use ${grep}.`,
    parameters: takes(['query'], {
      query: { type: 'string', minLength: 1, maxLength: 1_000, description: 'What the code does, in plain words; names if you know them.' },
      limit: { type: 'integer', minimum: 1, maximum: 30, default: 8, description: 'At most so many places.' },
    }),
    policy: 'allow',
    readonly: true,
    idempotency: 'safe',
    needs: ['index.search'],
    stands: 'index.search',
    next: ({ query, limit }, [outcome], context) => {
      if (outcome === undefined) return { call: { tool: 'index.search', args: { query, limit } } };
      if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
      const { hits, note } = outcome.result;
      const toShown = isAbsolute ? context.toAbsolute : (path: string): string => path;
      const lines = (Array.isArray(hits) ? hits : []).flatMap((hit: unknown) => (isJsonObject(hit) ? show(hit, toShown) : []));
      const shown = fitLines(lines, MAX_RESULT);
      const told = typeof note === 'string' ? [`[${note}]`] : [];
      const cut = shown.length < lines.length ? ['[cut: lower limit, or read the files]'] : [];
      return { text: [...(lines.length === 0 ? ['No places found.'] : shown), ...cut, ...told].join('\n') };
    },
  });

/** `codebase` with the names of ours. */
export const agentCodebase = codebaseRow('search', false);
/** `codebase` beside the tools of Claude Code. */
export const claudeCodebase = codebaseRow('Grep', true);
