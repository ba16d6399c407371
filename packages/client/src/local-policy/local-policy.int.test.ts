import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { argsDigest } from '@codelab/tools';
import { openWorkspace } from '@codelab/workspace';
import { eventually, startWsPeer, verifies, type PeerConnection, type WsPeer } from '@codelab/testkit';
import { acknowledgeResult, askedCall, letIn, makeClient, makeFolder, QUICK, resolved, toolCall } from '../../test/support.js';
import type { ApprovalAnswer, ApprovalRequest } from '../approvals/approval-request.js';
import { CodeLabClient } from '../client.js';
import type { ClientOptions } from '../client-options.js';
import { openLocalPolicy } from './open-local-policy.js';
import { workspaceExecutor } from '../calls/tool-executor.js';

let peer: WsPeer;
let root: string;
let dataDir: string;
let asked: ApprovalRequest[];
let problems: string[];
let refused: unknown[];
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
  [root, dataDir] = [await makeFolder(cleanups), await makeFolder(cleanups)];
  [asked, problems, refused] = [[], [], []];
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A client of a real workspace, whose human answers as the test says. */
const start = async (
  answer: (request: ApprovalRequest) => ApprovalAnswer | undefined,
  options: Partial<ClientOptions> = {},
): Promise<PeerConnection> => {
  const client = new CodeLabClient({
    ...{ url: peer.url, token: 't', sessionId: 's1', clientId: 'c', client: { name: 'test', version: '1' }, backoff: QUICK },
    journalDir: join(dataDir, 'journal'),
    executor: workspaceExecutor(await openWorkspace({ root, dataDir })),
    workspace: { id: 'w1', name: 'w' },
    localPolicy: openLocalPolicy({ dataDir, onProblem: (message) => problems.push(message) }),
    approve: (request) => {
      asked.push(request);
      return Promise.resolve(answer(request));
    },
    onProblem: ({ message }) => problems.push(message),
    onRefused: (...call) => refused.push(call),
    ...options,
  });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  return connection;
};

const COMMAND = { command: 'touch made' };
const command = (seq: number, id: string, fields: object = {}): object =>
  toolCall(seq, id, { tool_name: 'run_command', args: COMMAND, ...fields });

test(
  verifies('H1:floor-omitted', 'a command that the servers did not ask about does not run unasked, whatever frames and files say'),
  async () => {
    for (const folder of ['.codelab', '.codelab/rules', 'rules']) await mkdir(join(root, folder));
    const rule = JSON.stringify({ scope: 'user', made_at_ms: 1, rule: { effect: 'allow', tool: 'run_command', command: ['touch'] } });
    for (const file of ['.codelab/rules/a.json', 'rules/a.json', '.codelab/rules.json']) await writeFile(join(root, file), rule);
    for (const file of ['floor.json', '.codelab/floor.json']) await writeFile(join(root, file), '{"approvals":"anywhere"}');
    const connection = await start(() => undefined);
    const approval = { reason: 'harmless', risk: 'low', choices: [], outcome: 'approved', by: 'ann', at_ms: 1, proposals: [] };
    const operands = [{ path: 'rules/a.json', sha256: argsDigest({}) }];
    const frames = [
      command(1, 'plain'),
      command(2, 'decided', { requires_approval: true, approval }),
      command(3, 'by-rule', { operands }),
      command(4, 'safe', { idempotency: 'safe' }),
    ];
    for (const frame of frames) connection.send(frame);
    for (const id of ['plain', 'decided', 'by-rule', 'safe']) {
      expect(await acknowledgeResult(connection, id)).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
    }
    expect(asked.map(({ origin, callId }) => `${origin} ${callId}`).sort()).toEqual([
      'client by-rule',
      'client decided',
      'client plain',
      'client safe',
    ]);
    await expect(readFile(join(root, 'made'))).rejects.toThrow('ENOENT');
    connection.send(command(5, 'harmless', { args: { command: 'echo hello' }, args_sha256: argsDigest({ command: 'echo hello' }) }));
    expect(await acknowledgeResult(connection, 'harmless')).toMatchObject({ result: { stdout: 'hello\n' } });
  },
);

test(verifies('H1:floor-elsewhere', 'a deletion runs when somebody elsewhere approved it, a command does not'), async () => {
  await writeFile(join(root, 'a.txt'), 'a');
  const connection = await start(({ origin }) =>
    origin === 'client' ? { decision: 'reject', noHuman: true, feedback: 'nobody' } : undefined,
  );
  connection.send(askedCall(1, 'delete', { tool_name: 'delete_file', args: { path: 'a.txt' } }));
  connection.send(resolved(2, 'delete', { path: 'a.txt' }));
  expect(await acknowledgeResult(connection, 'delete')).toMatchObject({ result: { success: true } });
  connection.send(askedCall(3, 'command', { tool_name: 'run_command', args: COMMAND }));
  connection.send(resolved(4, 'command', COMMAND));
  expect(await acknowledgeResult(connection, 'command')).toMatchObject({ error: { code: 'DENIED_BY_POLICY', message: 'nobody' } });
  expect(refused).toEqual([['command', { code: 'DENIED_BY_POLICY', message: 'nobody' }]]);
});

test(
  verifies(
    'H1:git-asks',
    'a harmless command is asked about where the repository sets what makes git run a program, and runs with an approval',
  ),
  async () => {
    const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
    git('init', '-q');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'x', '--allow-empty');
    const connection = await start(({ callId }) => ({ decision: callId === 'yes' ? 'approve' : 'reject' }));
    const args = { command: 'git log -1' };
    const log = (seq: number, id: string): object => command(seq, id, { args, args_sha256: argsDigest(args) });
    connection.send(log(1, 'plain'));
    expect(await acknowledgeResult(connection, 'plain')).toMatchObject({ result: { exit_code: 0 } });
    expect(asked).toEqual([]);
    git('config', 'gpg.program', '/x');
    for (const [seq, id] of [
      [2, 'no'],
      [3, 'yes'],
    ] as const)
      connection.send(log(seq, id));
    expect(await acknowledgeResult(connection, 'no')).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
    expect(await acknowledgeResult(connection, 'yes')).toMatchObject({ result: { exit_code: 0 } });
    expect(asked.map(({ origin, approval }) => `${origin}: ${approval?.reason ?? ''}`)).toEqual(
      [1, 2].map(() => expect.stringContaining('client: the repository sets gpg.program, ')),
    );
  },
);

test(verifies('H1:remember', 'a rule goes with the decision, and from then on neither side asks'), async () => {
  const remember = { scope: 'project', rule: { tool: 'run_command', command: ['touch', 'made'] } } as const;
  const connection = await start(({ origin }) => (origin === 'server' ? { decision: 'approve', remember } : undefined));
  connection.send(askedCall(1, 'one', { tool_name: 'run_command', args: COMMAND }));
  expect(await connection.next('hitl_decision')).toMatchObject({ decision: 'approve', remember });
  connection.send(resolved(2, 'one', COMMAND));
  expect(await acknowledgeResult(connection, 'one')).toMatchObject({ result: { exit_code: 0 } });
  connection.send(command(3, 'two'));
  expect(await acknowledgeResult(connection, 'two')).toMatchObject({ result: { exit_code: 0 } });
  expect(asked).toHaveLength(1);
});

test(
  verifies('H1:rule-siblings-here', 'a rule that is made here settles what else waits here, and nothing that it does not cover'),
  async () => {
    const other = { command: 'touch other' };
    const answers = new Map<string, (answer: ApprovalAnswer) => void>();
    const signals = new Map<string, AbortSignal>();
    const approve: ClientOptions['approve'] = (request, signal) => {
      signals.set(request.callId, signal);
      return new Promise((resolve) => answers.set(request.callId, resolve));
    };
    const connection = await start(() => undefined, { approve });
    for (const frame of [command(1, 'one'), command(2, 'two'), command(3, 'other', { args: other })]) connection.send(frame);
    await eventually('three questions', () => answers.size === 3);
    const remember = { scope: 'session', rule: { tool: 'run_command', command: ['touch', 'made'] } } as const;
    answers.get('one')!({ decision: 'approve', remember });
    for (const id of ['one', 'two']) expect(await acknowledgeResult(connection, id)).toMatchObject({ result: { exit_code: 0 } });
    const withdrawn = Object.fromEntries([...signals].map(([id, { aborted }]) => [id, aborted])); // they may be put in any order
    expect(withdrawn).toEqual({ one: false, two: true, other: false });
  },
);

test('what the servers settle by a rule runs by the rule that is kept here, though it comes right behind the decision', async () => {
  const remember = { scope: 'session', rule: { tool: 'run_command', command: ['touch', 'made'] } } as const;
  const connection = await start(({ callId, origin }) =>
    callId === 'one' && origin === 'server' ? { decision: 'approve', remember } : undefined,
  );
  for (const [seq, id] of [
    [1, 'one'],
    [2, 'two'],
  ] as const)
    connection.send(askedCall(seq, id, { tool_name: 'run_command', args: COMMAND }));
  await connection.next('hitl_decision');
  await eventually('both questions', () => asked.length === 2);
  connection.send(resolved(3, 'one', COMMAND));
  connection.send(resolved(4, 'two', COMMAND, { by: 'policy' }));
  for (const id of ['one', 'two']) expect(await acknowledgeResult(connection, id)).toMatchObject({ result: { exit_code: 0 } });
  expect(asked.map(({ callId, origin }) => `${origin} ${callId}`)).toEqual(['server one', 'server two']);
});

test('a rule of the servers alone is no decision of a human at this client: what it always asks about it asks', async () => {
  await writeFile(join(root, 'a.txt'), 'a');
  const connection = await start(({ origin }) => (origin === 'client' ? { decision: 'reject' } : undefined));
  connection.send(askedCall(1, 'delete', { tool_name: 'delete_file', args: { path: 'a.txt' } }));
  connection.send(resolved(2, 'delete', { path: 'a.txt' }, { by: 'policy' }));
  expect(await acknowledgeResult(connection, 'delete')).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
});

test(verifies('H1:floor-program', 'a rule that spares a question here holds for a program only if it says so'), async () => {
  const connection = await start(({ approval }) => ({
    decision: 'approve',
    remember: { scope: 'session', rule: { ...approval!.proposals![0]!.rule } },
  }));
  const program = (id: string): object => command(0, id, { origin: 'proxy', seq: undefined });
  for (const frame of [command(1, 'own'), program('p1'), program('p2'), command(2, 'again')]) {
    connection.send(frame);
    await acknowledgeResult(connection, (frame as { readonly call_id: string }).call_id);
  }
  expect(asked.map(({ callId, program: isProgram }) => [callId, isProgram])).toEqual([
    ['own', undefined],
    ['p1', true],
  ]);
  expect(asked[1]?.approval?.reason).toMatch(/^a program asks, through llm-proxy: /);
  expect(problems).toEqual([]);
});

test(verifies('H1:rule-links', 'a command that a rule allows asks where a link leads one of its words out of the workspace'), async () => {
  const rule = { tool: 'run_command', command: ['git', 'commit'] };
  const connection = await start(({ approval }) =>
    approval?.proposals === undefined ? undefined : { decision: 'approve', remember: { scope: 'session', rule } },
  );
  const outside = join(await makeFolder(cleanups), 'secret.txt');
  await writeFile(outside, 'SECRET');
  await symlink(outside, join(root, 'message.txt'));
  execFileSync('git', ['init', '-q', root]);
  const commit = (seq: number, id: string, words: string): object => command(seq, id, { args: { command: `git commit ${words}` } });
  connection.send(commit(1, 'one', '--allow-empty -m x'));
  await acknowledgeResult(connection, 'one');
  connection.send(commit(2, 'two', '--allow-empty -m y'));
  await acknowledgeResult(connection, 'two');
  expect(asked).toHaveLength(1);
  connection.send(commit(3, 'three', '--allow-empty -F message.txt'));
  expect(await acknowledgeResult(connection, 'three')).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
  expect(asked[1]?.approval?.reason).toContain('message.txt is or has a link that leads out of the workspace');
});

test('a local policy that asks shows the rules that would spare the question, and remembers what was chosen', async () => {
  const connection = await start((request) => {
    const { rule } = request.approval!.proposals![0]!;
    return { decision: 'approve', remember: { scope: 'session', rule: { ...rule } } };
  });
  for (const id of ['one', 'two']) {
    connection.send(command(id === 'one' ? 1 : 2, id));
    expect(await acknowledgeResult(connection, id)).toMatchObject({ result: { exit_code: 0 } });
  }
  expect(asked).toMatchObject([{ origin: 'client', preview: { kind: 'command' } }]);
  expect(problems).toEqual([]);
});

test(verifies('H2:script', 'a script that changes after it was approved is not run; asked anew, it is shown as it is now'), async () => {
  const args = { command: 'sh build.sh' };
  const connection = await start(() => ({ decision: 'approve' }));
  await writeFile(join(root, 'build.sh'), 'echo good\n');
  connection.send(askedCall(1, 'c1', { tool_name: 'run_command', args }));
  const shown = await connection.next('tool_preview');
  expect(shown['operands']).toEqual([{ path: 'build.sh', sha256: expect.any(String) }]);
  await connection.next('hitl_decision');
  await writeFile(join(root, 'build.sh'), 'echo evil > out\n');
  connection.send(resolved(2, 'c1', args));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ error: { code: 'APPROVAL_MISMATCH' } });
  await expect(readFile(join(root, 'out'))).rejects.toThrow('ENOENT');
  connection.send(askedCall(3, 'c1', { tool_name: 'run_command', args }));
  const anew = await connection.next('tool_preview');
  expect(anew['operands']).not.toEqual(shown['operands']);
  await connection.next('hitl_decision');
  connection.send(resolved(4, 'c1', args));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { exit_code: 0 } });
  expect(asked).toHaveLength(2);
});

test(
  verifies('H2:rule-files', 'a script that changed since the rule for it was made is asked about, and run as it was shown then'),
  async () => {
    const args = { command: 'sh build.sh' };
    const remember = {
      scope: 'session',
      rule: { tool: 'run_command', command: ['sh', 'build.sh'], files: [{ path: 'build.sh' }] },
    } as const;
    const connection = await start(() => ({ decision: 'approve', remember }));
    const run = (seq: number, id: string, fields: object = {}): void =>
      connection.send(toolCall(seq, id, { tool_name: 'run_command', args, ...fields }));
    await writeFile(join(root, 'build.sh'), 'echo one\n');
    run(1, 'one');
    expect(await acknowledgeResult(connection, 'one')).toMatchObject({ result: { stdout: 'one\n' } });
    run(2, 'two');
    expect(await acknowledgeResult(connection, 'two')).toMatchObject({ result: { stdout: 'one\n' } });
    expect(asked).toHaveLength(1);
    await writeFile(join(root, 'build.sh'), 'echo two\n');
    run(3, 'three');
    expect(await acknowledgeResult(connection, 'three')).toMatchObject({ result: { stdout: 'two\n' } });
    expect(asked).toMatchObject([{}, { approval: { reason: expect.stringContaining('build.sh had another content') } }]);
    run(4, 'four', { operands: [{ path: 'build.sh', sha256: argsDigest({}) }] });
    expect(await acknowledgeResult(connection, 'four')).toMatchObject({ error: { code: 'APPROVAL_MISMATCH' } });
  },
);

test('a preview that comes while the question is open reaches the one who is asked', async () => {
  const { client } = makeClient(peer, join(dataDir, 'journal'), {
    sessionId: 's1',
    approve: (request) =>
      new Promise((resolve) => {
        request.onPreview((preview) => resolve({ decision: 'approve', feedback: preview.text }));
      }),
  });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer, { executor: 'other' });
  await connecting;
  connection.send(askedCall(1, 'c1'));
  connection.send({ type: 'approval_updated', seq: 2, call_id: 'c1', preview: { kind: 'text', text: 'what it does' }, operands: [] });
  expect(await connection.next('hitl_decision')).toMatchObject({ feedback: 'what it does' });
});

test('a call keeps its turn when the client was restarted meanwhile', async () => {
  const { client, executor } = makeClient(peer, join(dataDir, 'journal'), { sessionId: 's1' });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const snapshot = { seq: 4, history: [], turn: { turn_id: 't1' }, open_calls: [toolCall(4, 'c1')], todos: [], queue: [] };
  const { connection } = await letIn(peer, { recovered: false, seq: 4, snapshot });
  await connecting;
  connection.send(toolCall(4, 'c1', { redelivered: true }));
  await eventually('the run', () => executor.runs.length === 1);
  expect(executor.runs[0]!.context).toMatchObject({ turnId: 't1', approved: false });
  await acknowledgeResult(connection, 'c1');
});
