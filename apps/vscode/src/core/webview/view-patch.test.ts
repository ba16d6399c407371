import { EMPTY_VIEW, type AssistantItem, type Item, type SessionView } from '@codelab/client/view';
import { expect, test } from 'vitest';
import { diffView, patchView } from './view-patch.js';

const said = (messageId: string, text: string): AssistantItem => ({
  ...{ kind: 'assistant', messageId, text },
  ...{ done: false, final: false, replaced: false },
});
const view = (items: readonly Item[], more: Partial<SessionView> = {}): SessionView => ({ ...EMPTY_VIEW, items, ...more });
const [one, two, three] = [said('1', 'one'), said('2', 'two'), said('3', 'three')];

test('a patch makes the next view of the one before, whatever changed', () => {
  const views = [
    view([]),
    view([one]),
    view([one, two, three]),
    view([one, three]),
    view([one, said('3', 'three and more')]),
    view([two, said('3', 'three and more')], { seq: 9, activity: 'thinking', turn: { turnId: 't', startedAtMs: 1, cancelling: false } }),
    view([], { seq: 10 }),
  ];
  for (const [at, after] of views.entries()) {
    for (const before of [views[at - 1] ?? views[0]!, views[0]!]) {
      const patch = diffView(before, after);
      expect(patch === undefined ? before : patchView(before, JSON.parse(JSON.stringify(patch)) as typeof patch)).toEqual(after);
    }
  }
});

test('of a long message that grows only what came travels', () => {
  const long = 'x'.repeat(100_000);
  const patch = diffView(view([one, said('2', long)]), view([one, said('2', `${long} and on`)]));
  expect(patch).toEqual({ facts: undefined, grown: { at: 1, text: ' and on' } });
});

test('what did not change does not travel', () => {
  const before = view([one, two]);
  expect(diffView(before, before)).toBeUndefined();
  expect(diffView(before, { ...before })).toBeUndefined();
  expect(diffView(before, { ...before, seq: 5 })?.splice).toBeUndefined();
});
