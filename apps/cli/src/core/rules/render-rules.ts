import { formatAge } from '../sessions/render-sessions.js';
import { sanitiseLine } from '../text/sanitise.js';
import type { Line, StyleName } from '../text/span.js';
import { span } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import { describeRule } from './describe-rule.js';
import type { RuleSummary } from './rule-summary.js';

const EFFECTS: Readonly<Record<string, StyleName>> = { allow: 'good', ask: 'accent', deny: 'bad' };
const INDENT: Line = [span('       ')];

/**
 * Draws the rules, in the order given: what each does, in its own words and not in those that came with it, then its id, how far it reaches
 * and who goes by it.
 */
export function renderRules(rules: readonly RuleSummary[], nowMs: number, width: number): readonly Line[] {
  if (rules.length === 0) return [[span('There are no rules yet. An approval can be remembered with '), span('m', 'key'), span('.')]];
  return rules.flatMap(({ id, keeper, scope, place, rule, createdAtMs }) => {
    const effect = typeof rule['effect'] === 'string' ? rule['effect'] : 'ask';
    const reach = [scope, sanitiseLine(place, 64)].filter((part) => part !== '').join(' ');
    const age = createdAtMs === 0 ? '' : formatAge(createdAtMs, nowMs);
    const facts = [sanitiseLine(id, 64), keeper, reach, age].filter((part) => part !== '');
    return [
      ...wrapSpans([span(sanitiseLine(describeRule(rule), 600))], {
        width,
        first: [span(sanitiseLine(effect, 6).padEnd(7), EFFECTS[effect] ?? 'warn')],
        rest: INDENT,
      }),
      ...wrapSpans([span(facts.join(' · '), 'muted')], { width, first: INDENT, rest: INDENT }),
    ];
  });
}
