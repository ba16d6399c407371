import { describeRule } from '../rules/render-rules.js';
import { RULE_SCOPES, sanitiseLine, SCOPE_WORDS, type RuleChoice } from '@codelab/tools/human';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import { truncateLine, wrapSpans } from '../text/wrap-spans.js';
import { keyRow, panelText } from './panel.js';
import { decidingKey } from './rule-choice.js';

/**
 * Draws the rules that can be made of a decision, each with what it would do, how far it reaches, and the keys. The one that is picked is
 * also shown as it is, since the sentence came with it and may say something else.
 */
export function renderRuleChoice(choice: RuleChoice, inner: number): readonly Line[] {
  const allows = choice.decision === 'approve';
  const title = span(allows ? 'What may run from now on, unasked?' : 'What is refused from now on?', 'strong');
  const rules = choice.proposals.flatMap(({ allows: sentence, rule }, index) => {
    const picked = index === choice.picked;
    const first = [span(picked ? ' ▸ ' : '   ', 'approval'), span(`${index + 1}  `, 'muted')];
    const rest = [span('      ')];
    const says = sanitiseLine(sentence, 400);
    if (!picked) return [truncateLine([...first, span(says)], inner)];
    const exactly = sanitiseLine(describeRule({ ...rule }), 600);
    return [
      ...wrapSpans([span(says, 'strong')], { width: inner, first, rest }),
      ...wrapSpans([span(exactly, 'muted')], { width: inner, first: rest, rest }),
    ];
  });
  const scopes = RULE_SCOPES.flatMap((scope) => {
    const here = scope === choice.scope;
    return [
      span(here ? ' ●\u00a0' : ' ○\u00a0', here ? 'approval' : 'muted'),
      span(SCOPE_WORDS[scope].replaceAll(' ', '\u00a0'), here ? 'strong' : 'muted'),
    ];
  });
  const keys = keyRow([
    [decidingKey(choice), allows ? 'approve and remember' : 'reject and remember'],
    ...(choice.proposals.length > 1 ? [['↑↓', 'choose'] as const] : []),
    ['←→', 'how far'],
    ['Esc', 'back'],
  ]);
  const hint = span('codelab rules shows and removes what is remembered.', 'muted');
  return [
    ...panelText([title], inner),
    ...rules,
    ...panelText([span('For'), ...scopes], inner),
    ...panelText(keys, inner),
    ...panelText([hint], inner),
  ];
}
