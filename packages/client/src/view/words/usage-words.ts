import type { TurnUsage } from '@codelab/protocol';
import { formatCost, formatCount } from './format.js';

/** How full the window of the model is after its last request, what it wrote in all, and the price: `12k of 200k (6%)`, `340 out`, `$0.0042`. */
export function sessionUsageParts({
  context_tokens: used,
  context_window: window,
  output_tokens: output,
  cost_usd: cost,
}: TurnUsage): readonly string[] {
  const full =
    used === undefined || window === undefined || window === 0 ? '' : ` of ${formatCount(window)} (${Math.round((100 * used) / window)}%)`;
  return [
    ...(used === undefined ? [] : [`${formatCount(used)}${full}`]),
    ...(output === 0 ? [] : [`${formatCount(output)} out`]),
    ...(cost === undefined ? [] : [formatCost(cost)]),
  ];
}

/** `1.2k in`, `340 out`, `$0.0042`: what is not known or nothing is left out. */
export function usageParts({ input_tokens: input, output_tokens: output, cost_usd: cost }: TurnUsage): readonly string[] {
  const tokens = input + output === 0 ? [] : [`${formatCount(input)} in`, `${formatCount(output)} out`];
  return cost === undefined ? tokens : [...tokens, formatCost(cost)];
}
