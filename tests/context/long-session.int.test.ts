import { afterEach, describe, expect, test } from 'vitest';
import { checkRequest, type Reply, type Script, verifies } from '@codelab/testkit';
import { isSummary, LongStage, REFUSALS, type StageOptions } from './long-stage.js';

/** Model requests of the long session: `CODELAB_LONG_STEPS=2000` for the whole. */
const STEPS = Number(process.env.CODELAB_LONG_STEPS ?? 300);
const STEPS_A_TURN = 50;
const WINDOW = 16_000;

let stage: LongStage | undefined;
afterEach(async () => stage?.close());

const open = async (options: Partial<StageOptions> & Pick<StageOptions, 'script'>): Promise<LongStage> => {
  stage = await LongStage.open({ window: WINDOW, ...options });
  return stage;
};

const call = (n: number): Reply => ({
  toolCalls: [{ id: `p${String(n)}`, name: 'read_file', arguments: JSON.stringify({ path: `src/f${String(n)}.ts` }) }],
});
const summary: Reply = { text: '## Goal\nA long task.\n## Next\nGo on.' };

/** Reads a file `steps` times a turn, then says so. */
const reader = (stepsATurn: number): Script => {
  let n = 0;
  return (request) => {
    checkRequest(request);
    if (isSummary(request)) return summary;
    n += 1;
    return n % stepsATurn === 0 ? { text: `done ${String(n)}` } : call(n);
  };
};

const file =
  (characters: number) =>
  ({ path }: Record<string, unknown>) => ({
    content: `// ${String(path)}\n${'const value = compute(1, 2, 3);\n'.repeat(Math.ceil(characters / 32))}`,
  });

const roles = (of: LongStage): readonly string[] => of.scene.history.map(({ role }) => role);
const ends = (of: LongStage) => of.scene.framesOf('turn_ended').map(({ status }) => status);

test(
  verifies(
    'R3:long-session',
    `a session of ${String(STEPS)} steps never dies of its length: it is cut, then summed up, and every request fits`,
  ),
  async () => {
    const long = await open({ script: reader(STEPS_A_TURN), known: WINDOW });
    for (let turn = 0; turn < STEPS / STEPS_A_TURN; turn += 1) {
      long.session.deliver({ content: `Part ${String(turn)} of the task.` });
      long.scene.settle();
      await long.finish(file(300 + (turn % 5) * 900));
    }
    expect(new Set(ends(long))).toEqual(new Set(['completed']));
    expect(long.refused.length).toBeLessThan(STEPS / 50); // an estimate may be wrong, and is corrected then
    expect(Math.max(...long.taken)).toBeLessThanOrEqual(WINDOW);
    expect(new Set(roles(long))).toEqual(new Set(['user', 'assistant', 'tool', 'cut', 'summary']));
    const [asked, changes] = [
      roles(long).filter((role) => role === 'assistant'),
      roles(long).filter((role) => role === 'cut' || role === 'summary'),
    ];
    expect(asked).toHaveLength(STEPS);
    expect(changes.length).toBeLessThan(STEPS / 5); // what stands before stays the same for a while, for the caches of providers
    expect(long.scene.history.filter((item) => item.role === 'tool').every(({ content }) => content.length > 300)).toBe(true);
  },
  600_000,
);

describe('a window that nobody told of', () => {
  test.each([
    ['OpenAI', 'openai', REFUSALS.openai],
    ['Anthropic', 'anthropic', REFUSALS.anthropic],
    ['a server that names no number', 'openai', REFUSALS.silent],
  ] as const)(verifies('R3:overflow-recovery', 'is learned from the refusal of %s, and the turn goes on'), async (_, type, refusal) => {
    const long = await open({ script: reader(40), type, refusal });
    long.session.deliver({ content: 'Read everything.' });
    long.scene.settle();
    await long.finish(file(3_000));
    expect(ends(long)).toEqual(['completed']);
    const { state } = long.scene;
    expect(state.context?.window).toBeLessThanOrEqual(WINDOW);
    expect(long.refused.length).toBeLessThan(refusal === REFUSALS.silent ? 25 : 4);
    expect(Math.max(...long.taken)).toBeLessThanOrEqual(WINDOW);
  });

  test(verifies('R3:overflow-recovery', 'is learned from an answer for which nothing was left'), async () => {
    let n = 0;
    const script: Script = (request) => {
      if (isSummary(request)) return summary;
      if (request.text.length / 3.1 > 8_000)
        return { text: '', finishReason: 'length', usage: { prompt_tokens: 7_999, completion_tokens: 1 } };
      n += 1;
      return n === 30 ? { text: 'done' } : call(n);
    };
    const long = await open({ script });
    long.session.deliver({ content: 'Read everything.' });
    long.scene.settle();
    await long.finish(file(2_000));
    expect(ends(long)).toEqual(['completed']);
    expect(long.scene.state.context?.window).toBe(8_000);
  });
});

describe('one thing that is larger than the window', () => {
  test(verifies('R3:huge-item', 'a result is shown by its head and tail, and the turn ends'), async () => {
    const long = await open({ script: reader(4), known: WINDOW });
    long.session.deliver({ content: 'Read the log.' });
    long.scene.settle();
    await long.finish(file(400_000));
    expect(ends(long)).toEqual(['completed']);
    expect(long.outcomes.length).toBeLessThan(12);
    expect(long.provider.requests.some(({ text }) => text.includes('characters were left out'))).toBe(true);
  });

  test(verifies('R3:huge-item', 'a message likewise'), async () => {
    const long = await open({ script: reader(2), known: WINDOW });
    long.session.deliver({ content: `Look at this: ${'x y z '.repeat(40_000)}` });
    long.scene.settle();
    await long.finish(file(100));
    expect(ends(long)).toEqual(['completed']);
  });

  test(verifies('R3:huge-item', 'where nothing can be left out the turn fails with words that say why, without a loop'), async () => {
    const long = await open({ script: reader(2), known: 400, window: 300 });
    long.session.deliver({ content: 'Hello.' });
    long.scene.settle();
    await long.finish(file(100));
    expect(long.scene.framesOf('turn_ended')).toMatchObject([
      { status: 'failed', error: { message: expect.stringContaining('longer than the model can read') } },
    ]);
    expect(long.outcomes.length).toBeLessThan(12);
  });
});

describe('a compaction', () => {
  const reading = reader(1_000);

  /** Goes on until a summary is asked for. */
  const untilCompacting = async (more: Partial<StageOptions> = {}): Promise<LongStage> => {
    const long = await open({ script: reader(200), known: WINDOW, ...more });
    long.session.deliver({ content: 'Keep the name of `frobnicate`.' });
    long.scene.settle();
    while (long.asked.compact === undefined) {
      if (long.session.turnId === '' || long.outcomes.length > 500) throw new Error('nothing was summed up');
      if (long.session.step === undefined) long.settleCalls(file(330));
      else await long.serve();
    }
    return long;
  };

  test(
    verifies('R3:compaction', 'is a request of its own: counted, in the place of what is older, with the words of the user'),
    async () => {
      const long = await untilCompacting();
      const before = long.scene.state.turn!;
      await long.serve();
      const item = long.scene.history.findLast(({ role }) => role === 'summary');
      expect(item).toMatchObject({ content: expect.stringContaining('A long task.') });
      expect(item).toMatchObject({ content: expect.stringContaining('Keep the name of `frobnicate`.') });
      const { turn } = long.scene.state;
      expect(turn!.usage.outputTokens).toBeGreaterThan(before.usage.outputTokens); // in two parts here
      expect(turn!.rounds).toBe(before.rounds);
      await long.finish(file(330));
      expect(ends(long)).toEqual(['completed']);
    },
  );

  test(verifies('R1:compaction-crash', 'survives the death of the runtime and of the proxy in the middle of it'), async () => {
    const long = await untilCompacting();
    long.scene.crash();
    const dying = AbortSignal.abort();
    await long.serve(dying); // nothing is stored
    expect(long.asked.compact).toBeDefined();
    await long.serve();
    expect(long.scene.history.filter(({ role }) => role === 'summary')).toHaveLength(1);
    long.scene.crash();
    await long.finish(file(330));
    expect(ends(long)).toEqual(['completed']);
  });

  test(verifies('R3:compaction-cancel', 'can be cancelled: the turn ends so, and the next one compacts again'), async () => {
    const long = await untilCompacting();
    long.session.cancel();
    long.scene.settle();
    expect(ends(long)).toEqual(['cancelled']);
    expect(long.session.turnId).toBe('');
    long.session.deliver({ content: 'Go on.' });
    long.scene.settle();
    await long.finish(file(330));
    expect(ends(long)).toEqual(['cancelled', 'completed']);
    expect(roles(long)).toContain('summary');
  });

  test(verifies('R3:compaction', 'is put together without a model where none can write it'), async () => {
    const broken: Script = (request, n) =>
      isSummary(request) ? { status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } } : reading(request, n);
    const long = await untilCompacting({ script: broken });
    await long.serve();
    expect(long.scene.history.findLast(({ role }) => role === 'summary')).toMatchObject({
      mechanical: true,
      content: expect.stringContaining('frobnicate'),
    });
  });

  test(
    verifies('R3:compaction', 'is asked for again when it fails for a moment, and done without a model when it goes on failing'),
    async () => {
      const away: Script = (request, n) =>
        isSummary(request) ? { status: 500, body: { error: { message: 'away' } } } : reading(request, n);
      const long = await untilCompacting({ script: away });
      for (let times = 0; times < 5 && !roles(long).includes('summary'); times += 1) {
        if (long.session.step === undefined) long.scene.pass(60_000);
        await long.serve();
      }
      expect(long.scene.history.findLast(({ role }) => role === 'summary')).toMatchObject({ mechanical: true });
    },
  );
});

describe('by command', () => {
  test(
    verifies('R3:compact-command', 'a conversation is summed up in a turn of its own, with what the user wants to be kept'),
    async () => {
      const long = await open({ script: reader(3), known: WINDOW });
      long.session.deliver({ content: 'Do it.' });
      long.scene.settle();
      await long.finish(file(330));
      long.session.deliver({ content: '/compact keep the API names', command: 'compact' });
      long.scene.settle();
      expect(long.asked.compact).toEqual({ focus: 'keep the API names', whole: true });
      await long.finish(file(330));
      expect(ends(long)).toEqual(['completed', 'completed']);
      expect(long.provider.requests.at(-1)?.text).toContain('keep the API names');
      expect(roles(long).slice(-1)).toEqual(['summary']);
      expect(long.scene.framesOf('assistant_message').at(-1)).toMatchObject({
        is_final: true,
        content: expect.stringContaining('summed up'),
      });
    },
  );

  test(verifies('R3:clear-command', 'the model begins anew, and the record stays'), async () => {
    const long = await open({ script: reader(3), known: WINDOW });
    long.session.deliver({ content: 'Do it.' });
    long.scene.settle();
    await long.finish(file(330));
    long.session.deliver({ content: '/clear', command: 'clear' });
    long.session.deliver({ content: 'Something else.' });
    long.scene.settle();
    await long.finish(file(330));
    expect(ends(long)).toEqual(['completed', 'completed', 'completed']);
    const said = long.provider.requests[3]?.text ?? '';
    expect([said.includes('Something else.'), said.includes('Do it.'), said.includes('/clear')]).toEqual([true, false, false]);
    expect(long.scene.history[0]).toMatchObject({ content: 'Do it.' });
  });
});
