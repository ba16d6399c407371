import { expect, test } from 'vitest';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';

const MARK = { sha256: 'a'.repeat(64), whole: true, cut: false };

const begin = (): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession());
  scene.session.deliver({ content: 'hello' });
  scene.settle();
  scene.state = {
    ...scene.state,
    marks: { reads: { 'a.ts': { ...MARK, at: 1 }, 'b.ts': { ...MARK, at: 9 } }, cursors: {}, cwd: '', started: 0, todos: [] },
  };
  return scene;
};
const readsOf = (scene: Scene<SimulatedSession>): readonly string[] => Object.keys(scene.state.marks?.reads ?? {});
const context = { model: 'm0', scale: 1.2, tokens: 900, limit: 1_000 };

test(
  verifies('R5:cut', 'a cut is in the history before the answer that it came with; files whose text is shown no more count as not read'),
  () => {
    const scene = begin();
    scene.session.answer({ text: 'done', context: { ...context, cut: { upTo: 5 } } });
    scene.settle();
    expect(scene.history.slice(1)).toMatchObject([{ role: 'cut', up_to: 5 }, { role: 'assistant' }]);
    expect(readsOf(scene)).toEqual(['b.ts']);
    expect(scene.framesOf('turn_ended')).toMatchObject([{ usage: { context_tokens: 900, context_window: 1_000 } }]);
  },
);

test(verifies('R3:overflow-recovery', 'what was learned of the window goes with each request, also of another runtime'), () => {
  const scene = begin();
  scene.session.fail({ code: 'context_length', retryable: false, context: { model: 'm0', scale: 2, window: 4_096 } });
  scene.settle();
  scene.crash();
  expect(JSON.parse(scene.session.step!.request)).toMatchObject({ compact: {}, context: { model: 'm0', scale: 2, window: 4_096 } });
  scene.session.answer({ text: 'what happened', summary: { upTo: 1 } });
  scene.settle();
  expect(JSON.parse(scene.session.step!.request)).toMatchObject({ squeezed: 1 });
  expect(JSON.parse(scene.session.step!.request)).not.toHaveProperty('compact');
  expect(scene.framesOf('assistant_message')).toEqual([]);
});

test(verifies('R3:overflow-recovery', 'a request that stays too long is tried a few times, and the turn ends with the reason'), () => {
  const scene = begin();
  for (let times = 0; times < 20 && scene.session.step !== undefined; times += 1) {
    const isSummary = scene.session.step.request.includes('"compact":');
    if (isSummary) scene.session.answer({ text: '' });
    else scene.session.fail({ code: 'context_length', message: 'Too long.', retryable: false });
    scene.settle();
  }
  expect(scene.framesOf('turn_ended')).toMatchObject([{ status: 'failed', error: { code: 'TURN_FAILED', message: 'Too long.' } }]);
});

test(
  verifies('R3:compaction', 'behind a summary the model is told its task list and where commands run, whatever the summary forgot'),
  () => {
    const scene = begin();
    const todos = [
      { content: 'Repair it', status: 'completed' },
      { content: 'Test it', status: 'in_progress' },
    ] as const;
    scene.state = { ...scene.state, marks: { ...scene.state.marks!, cwd: 'packages/a', cursors: { command_1: 10 }, todos } };
    scene.session.fail({ code: 'context_length', retryable: false });
    scene.settle();
    scene.session.answer({ text: 'what happened', summary: { upTo: 1 } });
    scene.settle();
    expect(scene.history.slice(1)).toMatchObject([
      { role: 'summary' },
      {
        role: 'note',
        content:
          'As it stands now:\nYour task list:\n- completed: Repair it\n- in_progress: Test it\nCommands run in packages/a.\n' +
          'Started in the background: command_1.',
      },
    ]);
  },
);
