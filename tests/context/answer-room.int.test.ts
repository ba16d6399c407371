import { afterEach, expect, test } from 'vitest';
import { type Script, verifies } from '@codelab/testkit';
import { countTokens, isSummary, LongStage } from './long-stage.js';

const WINDOW = 16_000;

let stage: LongStage | undefined;
afterEach(async () => stage?.close());

test(
  verifies('R3:overflow-recovery', 'a request that fits and whose answer does not is asked for a shorter answer, and loses nothing'),
  async () => {
    const answers: number[] = [];
    const script: Script = (request) => {
      const [used, answer] = [countTokens(request), request.body.max_tokens as number];
      answers.push(answer);
      const message = `input length and \`max_tokens\` exceed context limit: ${String(used)} + ${String(answer)} > ${String(WINDOW)}`;
      if (used + answer > WINDOW) return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
      return { text: isSummary(request) ? 'a summary' : 'done' };
    };
    stage = await LongStage.open({ window: WINDOW, type: 'anthropic', script });
    stage.session.deliver({ content: `Look at this: ${'some words '.repeat(2_800)}` });
    stage.scene.settle();
    await stage.finish(() => ({}));
    expect(stage.scene.framesOf('turn_ended').map(({ status }) => status)).toEqual(['completed']);
    expect(answers).toEqual([8_192, expect.any(Number)]); // the second request is answered
    expect(stage.scene.history.map(({ role }) => role)).toEqual(['user', 'assistant']);
  },
);
