import { formatAge } from '../sessions/render-sessions.js';
import type { Column } from '../text/render-columns.js';
import { renderColumns } from '../text/render-columns.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import { describeRule } from './describe-rule.js';
import type { RuleSummary } from './rule-summary.js';

const COLUMNS: readonly Column[] = [
  { maxCharacters: 64, style: 'strong' },
  { maxCharacters: 16 },
  { maxCharacters: 8 },
  { maxCharacters: 32 },
  { maxCharacters: 16, style: 'accent' },
  { maxCharacters: 400, style: 'plain' },
  { maxCharacters: 16 },
];

/** Draws the rules, in the order given: what each does, in its own words and not in those that came with it. */
export function renderRules(rules: readonly RuleSummary[], nowMs: number): readonly Line[] {
  if (rules.length === 0) return [[span('There are no rules yet. An approval can be remembered with '), span('m', 'key'), span('.')]];
  const rows = rules.map(({ id, keeper, scope, place, rule, createdAtMs }) => [
    id,
    rules.some((rule) => rule.keeper !== keeper) ? keeper : '',
    scope,
    place,
    typeof rule['effect'] === 'string' ? rule['effect'] : 'ask',
    describeRule(rule),
    createdAtMs === 0 ? '' : formatAge(createdAtMs, nowMs),
  ]);
  return renderColumns(rows, COLUMNS);
}
