import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { HistoryItem } from '../history/history-item.js';
import { mechanicalSummary, userWords } from './mechanical-summary.js';
import { planCompaction } from './plan-compaction.js';
import { tellItems } from './transcript.js';

const base = { turn_id: 't', at_ms: 0 };
const user = (content: string): HistoryItem => ({ role: 'user', message_id: content, content, ...base });
const use = (call_id: string, name: string, args: object): HistoryItem => ({
  ...{ role: 'assistant', message_id: call_id, content: '', ...base },
  tool_calls: [{ call_id, tool_name: 'apply_patch', arguments: JSON.stringify(args), vocabulary: 'agent', name }],
});
const result = (call_id: string, content: string): HistoryItem => ({
  ...{ role: 'tool', call_id, tool_name: 'apply_patch', content, is_error: false, ...base },
});
const PATCH = { patch: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch' };
const HISTORY = [user('Rename frob to grob.'), use('c1', 'apply_patch', PATCH), result('c1', 'Changed src/a.ts'), user('Go on.')];

describe('what a summary is made of', () => {
  test(verifies('R3:compaction', 'a call is told by the name that the model knows, and by the file that it changed'), () => {
    const edited = [use('c2', 'edit_file', { path: 'b.ts', old_string: 'a' }), result('c2', 'Edited b.ts')];
    const plan = planCompaction([...HISTORY, ...edited], 0)!;
    const told = tellItems(plan.items, { said: 500, arguments: 500, result: 500 }).join('\n');
    expect(told).toContain('Result of apply_patch src/a.ts\nChanged');
    expect(told).toContain('Calls edit_file {"path":"b.ts"');
    expect(told).toContain('Result of edit_file b.ts\nEdited');
    expect(mechanicalSummary(plan, 2_000)).toContain('- apply_patch src/a.ts\n- edit_file b.ts');
  });

  test(
    verifies('R3:compaction', "the user's words outlive the second summary too, whatever the first made of them, and end with a clear"),
    () => {
      const summary: HistoryItem = { role: 'summary', up_to: 3, content: 'Something was done.', at_ms: 0 };
      const again = planCompaction([...HISTORY, summary, user('And the docs.'), user('Now.')], 0)!;
      expect(again.said.map(({ content }) => content)).toEqual(['Rename frob to grob.', 'Go on.', 'And the docs.', 'Now.']);
      expect(userWords(again, 2_000)).toContain('Rename frob to grob.');
      const cleared = planCompaction([...HISTORY, { role: 'clear', at_ms: 0 }, user('New.'), user('Now.')], 0)!;
      expect(cleared.said.map(({ content }) => content)).toEqual(['New.', 'Now.']);
    },
  );
});
