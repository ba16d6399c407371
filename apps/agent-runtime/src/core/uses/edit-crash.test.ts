import { expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import type { ToolItem } from '@codelab/llm';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';

const FACTS = { vocabulary: 'claude-code', protocolVersion: '2.1', executorTools: '["read_file","write_file"]' };
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const readOf = (content: string) => ({ result: { content, encoding: 'utf-8', sha256: sha(content), lines_total: 1 } });
const WRITTEN = { result: { success: true, bytes_written: 2 } };
const EDIT = ['Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b' }] as const;

/** A session in which a model has read `a.txt`, and now uses these tools in one answer. */
const edits = (...uses: readonly (readonly [name: string, args: object])[]): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession(FACTS));
  scene.session.deliver({ content: 'go' });
  scene.settle();
  answer(scene, ['Read', { file_path: 'a.txt' }]);
  settle(scene, readOf('a\n'));
  answer(scene, ...uses);
  return scene;
};
const answer = (scene: Scene<SimulatedSession>, ...uses: readonly (readonly [name: string, args: object])[]): void => {
  const toolCalls = uses.map(([name, args], place) => ({ providerId: `p${String(place)}`, name, arguments: JSON.stringify(args) }));
  scene.session.answer({ toolCalls, finish: 'tool_calls' });
  scene.settle();
};
/** The last call that was sent ends so. */
const settle = (scene: Scene<SimulatedSession>, settled: Parameters<SimulatedSession['settle']>[1]): void => {
  scene.session.settle(scene.sentCalls.at(-1)!, settled);
  scene.settle();
};
const approve = (scene: Scene<SimulatedSession>): void => {
  const { call_id, args_sha256 } = scene.framesOf('tool_call').at(-1)!;
  scene.session.decide(call_id, { outcome: 'approved', argsSha256: args_sha256 });
  scene.settle();
};
const results = (scene: Scene<SimulatedSession>): string[] =>
  scene.history.filter((item): item is ToolItem => item.role === 'tool').map(({ content }) => content);

test(verifies('L3:case-29', 'a runtime that dies between the read and the write is followed by one that makes the same call'), () => {
  const scene = edits(EDIT);
  scene.session.settle(scene.sentCalls.at(-1)!, readOf('a\n'));
  const lost = scene.compute();
  scene.crash();
  const { effects } = scene.compute();
  expect(effects?.calls).toEqual(lost.effects?.calls);
  scene.settle();
  expect(scene.framesOf('tool_call').at(-1)?.args).toEqual({ path: 'a.txt', content: 'b\n', expected_sha256: sha('a\n') });
  scene.crash();
  approve(scene);
  scene.crash();
  settle(scene, WRITTEN);
  expect(scene.framesOf('tool_call').map(({ tool_name }) => tool_name)).toEqual(['read_file', 'read_file', 'write_file']);
  expect(results(scene).at(-1)).toContain('Edited');
});

test(verifies('L3:case-29', 'after a write whose end nobody knows the file must be read again'), () => {
  const scene = edits(EDIT);
  settle(scene, readOf('a\n'));
  approve(scene);
  settle(scene, { error: { code: 'OUTCOME_UNKNOWN', message: 'the client stopped' } });
  expect(results(scene).at(-1)).toMatch(/^Error \[OUTCOME_UNKNOWN\]: /);
  answer(scene, ['Edit', { file_path: 'a.txt', old_string: 'b', new_string: 'c' }]);
  settle(scene, readOf('b\n'));
  expect(results(scene).at(-1)).toBe('Error: read /workspace/a.txt before changing it');
});

test(verifies('L3:case-29', 'of two identical edits in one answer the second says that the text is not found, which is true'), () => {
  const scene = edits(EDIT, EDIT);
  settle(scene, readOf('a\n'));
  approve(scene);
  settle(scene, WRITTEN);
  settle(scene, readOf('b\n'));
  const [first, second] = results(scene).slice(-2);
  expect(first).toContain('Edited');
  expect(second).toMatch(/^Error: old_string was not found in \/workspace\/a\.txt/);
});

test(
  verifies('L3:case-15', 'of two edits of one file in one answer the second is made on what came of the first, and asked about then'),
  () => {
    const second = ['Edit', { file_path: 'a.txt', old_string: 'b', new_string: 'c' }] as const;
    const [both, denied] = [edits(EDIT, second), edits(EDIT, second)];
    settle(both, readOf('a\n'));
    expect(both.framesOf('tool_call').filter(({ tool_name }) => tool_name === 'write_file')).toHaveLength(1);
    approve(both);
    settle(both, WRITTEN);
    settle(both, readOf('b\n'));
    expect(both.framesOf('tool_call').at(-1)?.args).toMatchObject({ content: 'c\n' });
    settle(denied, readOf('a\n'));
    denied.session.decide(denied.sentCalls.at(-1)!, { outcome: 'rejected' });
    denied.settle();
    settle(denied, readOf('a\n'));
    expect(results(denied).slice(-2)).toEqual([
      expect.stringMatching(/DENIED_BY_USER/),
      expect.stringMatching(/^Error: old_string was not found/),
    ]);
  },
);
