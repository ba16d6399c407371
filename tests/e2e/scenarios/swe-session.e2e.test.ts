import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { startSystem, type System } from '../start-system.js';
import { type Figures, figuresOf } from '../swe-session/figures.js';
import { readRepository } from '../swe-session/read-repository.js';
import { MESSAGES, OWN_WORDS } from '../swe-session/story.js';
import { Teammate } from '../swe-session/teammate.js';
import { type RequestKind, startSmallUpstream, type SmallUpstream, WINDOW } from '../swe-session/upstream.js';

/** Ninety steps of a model, each with calls that are done: a minute, and several on a machine with much else to do. */
const LONG_MS = 480_000;

const run = promisify(execFile);
let upstream: SmallUpstream;
let system: System;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  system = await startSystem({
    env: {
      ...{ OPENAI_BASE_URL: upstream.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' },
      ...{ ANTHROPIC_BASE_URL: upstream.origin, ANTHROPIC_API_KEY: 'k' },
    },
  });
});

afterAll(async () => {
  await system.stop();
  await upstream.close();
});

interface Session {
  readonly repository: Repository;
  readonly teammate: Teammate;
  readonly figures: Figures;
}

/** Has the work done from the first word to the commit, then looks at it. */
async function work(session: string, model: string, vocabulary: string, look: (done: Session) => Promise<void>): Promise<void> {
  const repository = await makeRepository({ extra: await readRepository() });
  const teammate = await Teammate.join(system, repository.root, { session, vocabulary, model });
  const before = upstream.seen.length;
  try {
    for (const message of Object.values(MESSAGES))
      expect(await teammate.say(message)).toEqual(expect.objectContaining({ status: 'completed' }));
    const figures = figuresOf(upstream.seen.slice(before));
    process.stdout.write(`${session}: ${JSON.stringify(figures)}\n`);
    await look({ repository, teammate, figures });
  } finally {
    await teammate.client.close();
    await repository.remove();
  }
}

/** The agents that worked for a session, as its parent's owner is shown them. */
async function tasksOf(session: string): Promise<readonly { readonly call_id: string; readonly agent: string }[]> {
  const url = `${system.gateways[0]!.url}/api/v1/sessions/${session}/tasks`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${system.token}` } });
  return ((await answer.json()) as { tasks: { call_id: string; agent: string }[] }).tasks;
}

/** What is true of the work at its end, whatever happened on the way. */
async function expectDone({ repository, teammate, figures }: Session): Promise<void> {
  await run(process.execPath, ['--test', 'test/'], { cwd: repository.root, env: { PATH: process.env['PATH'] } });
  expect(await repository.git('log', '--format=%s')).toBe('Read comments, rename delim to separator\nfirst\n');
  expect(await repository.git('status', '--porcelain')).toBe('');
  expect(await repository.git('grep', '-l', 'delim', '--', 'src', 'docs', 'test')).toBe('src/options.mjs\ntest/options.test.mjs\n');

  const files = await readRepository();
  const textOf = (path: string): Promise<string> => readFile(join(repository.root, path), 'utf8');
  expect(await textOf('test/stream.test.mjs')).toBe(files['test/stream.test.mjs']); // denied
  const changelog = await textOf('CHANGELOG.md');
  expect(changelog).toContain(`${OWN_WORDS.to}\n- \`delim\` is called \`separator\`.\n`); // edited by the human, and gone on with
  expect(changelog).not.toContain(OWN_WORDS.from);

  expect(upstream.faults).toEqual([]);
  expect(figures.steps).toBeGreaterThanOrEqual(60);
  expect(figures.summaries).toBeGreaterThanOrEqual(1);
  expect(figures.refused).toBeLessThanOrEqual(2); // until the window is known
  expect(figures.tokens.largest).toBeLessThanOrEqual(WINDOW);
  expect(teammate.decided.filter(({ decision }) => decision === 'edit')).toHaveLength(1);
  const plans = teammate.decided.filter(({ args }) => typeof args['plan'] === 'string');
  expect(plans.map(({ decision }) => decision)).toEqual(['reject', 'approve']);

  const todos = teammate.framesOf('todos_updated').at(-1)?.todos;
  expect(todos).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ status: 'completed' })));

  const ofTask = teammate.framesOf('tool_call').filter(({ origin }) => origin === 'task');
  expect(new Set(ofTask.map(({ tool_name: name }) => name))).toEqual(new Set(['search_in_project', 'read_file']));
  const tasks = await tasksOf(teammate.client.sessionId);
  expect(tasks).toMatchObject([{ agent: 'ask', status: 'idle' }]); // one, whatever died meanwhile
  expect(new Set(ofTask.map(({ task_call_id: id }) => id))).toEqual(new Set(tasks.map(({ call_id: id }) => id)));
}

test.each([
  ['agent', 'gpt-test'],
  ['claude-code', 'claude-test'],
])(
  verifies(
    'R3:swe-session',
    'in %s a task of more than sixty steps ends with green tests and a commit, in a window of 16,000 tokens that it finds out itself',
  ),
  async (vocabulary, model) => {
    await work(`swe-${vocabulary}`, model, vocabulary, async (session) => {
      await expectDone(session);
      const denied = session.teammate.decided.filter(({ decision, args }) => decision === 'reject' && args['plan'] === undefined);
      expect(denied.map(({ args }) => args['path'])).toEqual(['test/stream.test.mjs']); // once: the model has heard
      expect(session.figures.errands).toBe(3);
    });
  },
  LONG_MS,
);

test(
  verifies('R4:swe-session', 'the same ends so although the runtime is killed while the conversation is summed up, and while a task runs'),
  async () => {
    const killed = new Set<RequestKind>();
    upstream.onRequest = async (kind) => {
      if (kind === 'step' || killed.has(kind)) return;
      killed.add(kind);
      const pid = await system.pidOf(system.runtimes[0]!.url);
      process.kill(pid, 'SIGKILL');
      await eventually('the runtime is gone', () =>
        system.pidOf(system.runtimes[0]!.url).then(
          (now) => now !== pid,
          () => true,
        ),
      );
    };
    await work('swe-killed', 'gpt-test', 'agent', expectDone);
    expect(killed).toEqual(new Set(['summary', 'errand']));
  },
  LONG_MS,
);
