import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { closeOrphans } from '../canonical/close-orphans.js';
import { estimateTokens } from '../canonical/estimate-tokens.js';
import type { HistoryItem } from '../history/history-item.js';
import { historyToMessages } from '../history/history-to-messages.js';
import { mechanicalSummary } from './mechanical-summary.js';
import { planCompaction } from './plan-compaction.js';
import { planCut } from './plan-cut.js';

const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.nat(6_000).map((length) => 'word '.repeat(length / 5)),
);
const event = fc.oneof(
  { weight: 2, arbitrary: text.map((content) => ({ kind: 'user', content }) as const) },
  { weight: 6, arbitrary: fc.array(text, { minLength: 1, maxLength: 3 }).map((results) => ({ kind: 'round', results }) as const) },
  { weight: 1, arbitrary: fc.nat(40).map((back) => ({ kind: 'late', back }) as const) },
  { weight: 1, arbitrary: fc.integer({ min: 500, max: 4_000 }).map((most) => ({ kind: 'cut', most }) as const) },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 2_000 }).map((keep) => ({ kind: 'compact', keep }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'clear' } as const) },
);

const at_ms = 1;
const requestOf = (items: readonly HistoryItem[]) => ({ model: 'm', messages: historyToMessages(items, (tool) => tool), tools: [] });

function play(events: readonly (typeof event extends fc.Arbitrary<infer T> ? T : never)[]): HistoryItem[] {
  const items: HistoryItem[] = [];
  const ids: string[] = [];
  for (const step of events) {
    if (step.kind === 'user') items.push({ role: 'user', turn_id: 't', message_id: 'm', content: step.content, at_ms });
    else if (step.kind === 'clear') items.push({ role: 'clear', at_ms });
    else if (step.kind === 'late') {
      const id = ids.at(-1 - step.back);
      if (id !== undefined)
        items.push({ role: 'tool', turn_id: 't', call_id: id, tool_name: 'read_file', content: 'late', is_error: false, at_ms });
    } else if (step.kind === 'cut') {
      const use = { used: estimateTokens(requestOf(items)), most: step.most, goal: step.most / 2, scale: 1 };
      const plan = planCut(items, use);
      if (plan !== undefined) items.push({ role: 'cut', up_to: plan.upTo, limit: plan.limit, at_ms });
    } else if (step.kind === 'compact') {
      const plan = planCompaction(items, step.keep);
      if (plan !== undefined) items.push({ role: 'summary', up_to: plan.upTo, content: mechanicalSummary(plan, 2_000), at_ms });
    } else {
      const calls = step.results.map((_, place) => `call_${String(ids.length + place)}`);
      ids.push(...calls);
      const tool_calls = calls.map((call_id) => ({ call_id, tool_name: 'read_file', arguments: '{"path":"a"}' }));
      items.push({ role: 'assistant', turn_id: 't', message_id: 'm', content: '', tool_calls, at_ms });
      for (const [place, content] of step.results.entries()) {
        items.push({ role: 'tool', turn_id: 't', call_id: calls[place]!, tool_name: 'read_file', content, is_error: false, at_ms });
      }
    }
  }
  return items;
}

test(verifies('R5:cut', 'whatever is cut, summarised and cleared, every call that is shown has exactly one result'), () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const items = play(events);
      const request = requestOf(items);
      expect(closeOrphans(request)).toBe(request);
      for (const { role, parts } of request.messages) expect({ role, parts: parts.length }).toEqual({ role, parts: expect.any(Number) });
    }),
    { numRuns: 300 },
  );
});

test(verifies('R5:cut', 'a cut brings a request below what it may have, goes from the oldest on, and is the same for everybody'), () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.integer({ min: 300, max: 20_000 }), (events, most) => {
      const items = play(events);
      const use = { used: estimateTokens(requestOf(items)), most, goal: most * 0.6, scale: 1 };
      const plan = planCut(items, use);
      expect(planCut(structuredClone(items), use)).toEqual(plan);
      if (plan === undefined || use.used <= most) return;
      const after = estimateTokens(requestOf([...items, { role: 'cut', up_to: plan.upTo, limit: plan.limit, at_ms }]));
      expect(after).toBeLessThanOrEqual(most);
    }),
    { numRuns: 300 },
  );
});
