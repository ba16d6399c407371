import { expect, test } from 'vitest';
import fc from 'fast-check';
import { type HistoryItem, historyToMessages } from '@codelab/llm';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { Scene } from '../__fixtures__/scene.js';
import { serialiseState } from './serialise-state.js';

const TOOL_CALLS = [
  { name: 'read_file', arguments: '{"path":"a"}' },
  { name: 'read_file', arguments: '{"path":"b"}' },
  { name: 'git_diff', arguments: '{"path":"."}' },
  { name: 'write_file', arguments: '{"path":"a","content":"x"}' },
  { name: 'write_file', arguments: '{"path":"b","content":"y"}' },
  { name: 'prompt_user', arguments: '{"message":"?","actions":["a"]}' },
  { name: 'read_file', arguments: '{"path":' },
  { name: 'unheard_of', arguments: '' },
];
const PAUSES_MS = [0, 1, 25, 800, 5_000, 65_000, 3_600_000];
const ERRORS = ['FILE_NOT_FOUND', 'APPROVAL_MISMATCH', 'PERMISSION_DENIED', 'OUTCOME_UNKNOWN'];

/** Everything that can happen to a session, by people, models, executors and time. Each picks by number from what is there. */
const HAPPENINGS: Readonly<Record<string, (scene: Scene<SimulatedSession>, pick: number) => void>> = {
  message: ({ session }, pick) =>
    void session.deliver({ content: `c${String(pick)}` }, (['enqueue', 'steer', 'interrupt'] as const)[pick % 3]),
  unsay: ({ session }, pick) => void session.removeQueued(session.delivered[pick % Math.max(session.delivered.length, 1)] ?? ''),
  answer: ({ session }, pick) => void session.answer({ text: pick % 2 === 0 ? 'text' : '' }),
  call: ({ session }, pick) => {
    const toolCalls = Array.from({ length: 1 + (pick % 4) }, (_, place) => TOOL_CALLS[(pick + place * 3) % TOOL_CALLS.length]!);
    const finish = pick % 11 === 0 ? 'length' : 'tool_calls';
    session.answer({ finish, toolCalls: toolCalls.map((call, place) => ({ ...call, providerId: `call_${String(place)}` })) });
  },
  fail: ({ session }, pick) => void session.fail({ retryable: pick % 3 > 0 }),
  settle: (scene, pick) => {
    const callId = scene.sentCalls[pick % Math.max(scene.sentCalls.length, 1)];
    const code = ERRORS[pick % 7];
    if (callId !== undefined) scene.session.settle(callId, code === undefined ? { result: { pick } } : { error: { code, message: '' } });
  },
  settleOpen: ({ session }, pick) => {
    const record = session.records[pick % Math.max(session.records.length, 1)];
    if (record !== undefined) session.settle(record.callId, { result: { pick } });
  },
  decide: ({ session }, pick) => {
    const record = session.records[pick % Math.max(session.records.length, 1)];
    const outcome = (['approved', 'edited', 'rejected'] as const)[pick % 3]!;
    if (record !== undefined)
      session.decide(record.callId, {
        ...{ outcome, remembered: pick % 2 === 0 || undefined },
        ...(outcome === 'edited' ? { args: '{"path":"e","content":""}' } : {}),
      });
  },
  /** Somebody's rule is kept, and mostly the gateway lives to say so. */
  rule: (scene, pick) => {
    const effect = (['allow', 'deny', 'ask'] as const)[pick % 3]!;
    scene.rules = [
      ...scene.rules,
      { ruleId: `r${String(pick)}`, effect, tool: 'write_file', path: pick % 2 === 0 ? 'a' : '*', scope: 'session' },
    ];
    if (pick % 5 > 0) scene.session.push({ kind: 'rules' });
  },
  unask: ({ session }, pick) => {
    const record = session.records[pick % Math.max(session.records.length, 1)];
    if (record !== undefined) session.settle(record.callId, { error: { code: 'CONFLICT', message: '' }, preview_failed: true });
  },
  begin: ({ session, nowMs }, pick) => {
    const record = session.records[pick % Math.max(session.records.length, 1)];
    if (record?.state === 'ready')
      session.note(record.callId, { progress: 'started', startedAtMs: nowMs, givenTo: session.facts.executor });
  },
  cancel: ({ session }) => void session.cancel(),
  agent: ({ session }, pick) => void session.push({ kind: 'agent', agent: ['ask', 'coder', 'debug'][pick % 3]! }),
  journal: ({ session }) => void session.push({ kind: 'journal', calls: '[{"call_id":"call_j","args_sha256":"","state":"unknown"}]' }),
  executor: ({ session }, pick) => {
    if (session.facts.executor === 'seed') return;
    session.facts = { ...session.facts, executor: `client-${String(pick % 3)}` };
    session.push({ kind: 'executor', executor: session.facts.executor });
  },
  time: (scene, pick) => void (scene.nowMs += PAUSES_MS[pick % PAUSES_MS.length]!),
  step: (scene) => void stepTwice(scene),
  crash: (scene) => scene.crash(),
  /** The commit is computed, then something happens, then it is tried. */
  stale: (scene, pick) => {
    const advance = scene.compute();
    HAPPENINGS[['settleOpen', 'decide', 'cancel', 'message', 'rule', 'unask', 'unsay'][pick % 7]!]!(scene, pick);
    if (advance.effects === undefined || scene.session.commit(advance.cancelSeen, advance.effects) !== 'cancelled')
      scene.state = advance.state;
  },
};

/** Takes a step, having computed it a second time from what is stored, as a successor would: both write the same. */
const stepTwice = (scene: Scene<SimulatedSession>): void => {
  const remembered = scene.compute().effects;
  const inMemory = scene.state;
  scene.crash();
  expect(scene.compute().effects).toEqual(remembered);
  expect(serialiseState(scene.state)).toBe(serialiseState(inMemory));
  scene.state = inMemory;
  scene.run();
};

/** Whoever is asked for something does it, until nobody waits for anything. */
const finish = (scene: Scene<SimulatedSession>): void => {
  for (let round = 0; round < 500; round += 1) {
    stepTwice(scene);
    const { session } = scene;
    const waitsForTime = session.turnId !== '' && session.step === undefined && session.records.length === 0;
    if (session.turnId === '' && session.inbox.length === 0) return;
    for (const { callId, state } of session.records) {
      if (state === 'waiting_approval') session.decide(callId, { outcome: 'approved' });
      session.settle(callId, { result: {} });
    }
    session.answer({ text: 'done' });
    if (waitsForTime) scene.nowMs = Math.max(scene.nowMs + 1, scene.last?.wakeAtMs ?? 0);
  }
  throw new Error('the session never comes to its end');
};

const expectBrackets = (scene: Scene<SimulatedSession>): void => {
  let running: string | undefined;
  const seen = new Set<string>();
  let finals = 0;
  for (const frame of scene.frames) {
    if (frame.type === 'turn_started') {
      expect(running).toBeUndefined();
      expect(seen).not.toContain(frame.turn_id);
      running = frame.turn_id;
      seen.add(running);
      finals = 0;
    } else if (frame.type === 'turn_ended') {
      expect(frame.turn_id).toBe(running);
      expect(finals).toBe(frame.status === 'completed' ? 1 : 0);
      running = undefined;
    } else if (frame.type === 'assistant_message') {
      expect(running).toBeDefined();
      if (frame.is_final) finals += 1;
    }
  }
  expect(running).toBeUndefined();
};

/** Between an answer with calls and the next one stand the results, one for each call and in the order of the calls. */
const expectResults = (history: readonly HistoryItem[]): void => {
  let open: readonly string[] = [];
  const closed = new Set<string>();
  for (const item of history) {
    if (item.role === 'assistant') {
      expect(open).toEqual([]);
      open = item.tool_calls.map(({ call_id }) => call_id);
    } else if (item.role === 'tool' && !closed.has(item.call_id)) {
      expect(item.call_id).toBe(open[0]);
      open = open.slice(1);
      closed.add(item.call_id);
    }
  }
  expect(open).toEqual([]);
  for (const [place, message] of historyToMessages(history, (name) => name).entries()) {
    const uses = message.parts.flatMap((part) => (part.kind === 'tool_call' ? [part.id] : []));
    const results = historyToMessages(history, (name) => name)
      .slice(place + 1, place + 1 + uses.length)
      .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool_result' ? [part.id] : [])));
    expect(results).toEqual(uses);
  }
};

/** Each message begins a turn or goes into one, once, unless it was taken out before. */
const expectMessages = ({ frames, history, session }: Scene<SimulatedSession>): void => {
  const told = frames.flatMap((frame) => (frame.type === 'turn_started' || frame.type === 'turn_steered' ? frame.message_ids : []));
  expect([...told].sort()).toEqual(session.delivered.filter((id) => !session.removed.has(id)).sort());
  expect(history.flatMap((item) => (item.role === 'user' ? [item.message_id] : []))).toEqual(told);
};

const ENDS: ReadonlySet<string> = new Set(['done', 'errored', 'canceled']);

/** Each use of a tool is told to its end, which comes once. */
const expectUses = ({ frames, history }: Scene<SimulatedSession>): void => {
  const told = frames.filter((frame) => frame.type === 'tool_use');
  const uses = history.flatMap((item) => (item.role === 'assistant' ? item.tool_calls.map(({ call_id }) => call_id) : []));
  expect(told.flatMap(({ use_id, status }) => (ENDS.has(status) ? [use_id] : [])).sort()).toEqual([...uses].sort());
  for (const useId of uses) expect(ENDS.has(told.findLast(({ use_id }) => use_id === useId)!.status)).toBe(true);
};

const happening = fc.tuple(fc.constantFrom(...Object.keys(HAPPENINGS), 'step', 'call', 'settleOpen', 'decide'), fc.nat(1_000));
const story = fc.record({
  seed: fc.boolean(),
  mode: fc.constantFrom('medium', 'permissive', 'strict'),
  vocabulary: fc.constantFrom('codelab', 'agent'),
  happenings: fc.array(happening, { maxLength: 60 }),
});

test(
  verifies(
    'R3:any-order',
    'whatever happens in whatever order, each turn ends once, each tool use has one result in order, and nothing is left open',
  ),
  () => {
    fc.assert(
      fc.property(story, ({ seed, mode, vocabulary, happenings }) => {
        const executor = seed ? { executor: 'seed', executorTools: '', protocolVersion: '1.0' } : {};
        const scene = new Scene(new SimulatedSession({ mode, vocabulary, capabilities: 'tool_use tool_status', ...executor }));
        scene.session.deliver({ content: 'begin' });
        for (const [name, pick] of happenings) HAPPENINGS[name]!(scene, pick);
        finish(scene);
        expectBrackets(scene);
        expectResults(scene.history);
        expectMessages(scene);
        expectUses(scene);
        expect([scene.session.records, scene.session.inbox, scene.session.queue]).toEqual([[], [], []]);
      }),
      { numRuns: 400 },
    );
  },
);

test(verifies('R3:text-any-order', 'however text arrives, is lost and found again, each message says its text once'), () => {
  const piece = fc.record({
    from: fc.nat(20),
    length: fc.nat(6),
    pauseMs: fc.constantFrom(0, 10, 30),
    crash: fc.boolean(),
    read: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.constantFrom('answer', 'cancel'), (pieces, end) => {
      const text = 'abcdefghijklmnopqrstuvwxyz';
      const scene = new Scene(new SimulatedSession());
      scene.session.deliver({ content: 'begin' });
      scene.settle();
      const { stepId } = scene.session.step!;
      let written = 0;
      for (const { from, length, pauseMs, crash, read } of pieces) {
        scene.nowMs += pauseMs;
        if (crash) scene.crash();
        const delta = { stepId, attempt: 1, offset: from, text: text.slice(from, from + length) };
        written = Math.max(written, from + length);
        const reading = { stepId, attempt: 1, state: 'running' as const, partial: text.slice(0, written) };
        scene.run({ deltas: [delta], ...(read ? { reading } : {}) });
      }
      if (end === 'answer') scene.session.answer({ text });
      else scene.session.cancel();
      scene.run({ reading: { stepId, attempt: 1, state: 'running', partial: text.slice(0, written) } });
      const said = scene
        .framesOf('assistant_message')
        .map(({ token }) => token)
        .join('');
      expect(said).toBe(end === 'answer' ? text : text.slice(0, written));
      expect(scene.history.findLast(({ role }) => role === 'assistant')).toEqual(
        said === '' ? undefined : expect.objectContaining({ content: said }),
      );
    }),
    { numRuns: 300 },
  );
});
