import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionRef } from '@codelab/bus';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { argsDigest } from '@codelab/tools';
import { outcomeOf } from '../__fixtures__/ask-rest.js';
import type { Frame, FrameClient } from '../__fixtures__/frame-client.js';
import type { TestCall } from '../__fixtures__/puppet-runtime.js';
import { useGateways } from '../__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { hello: { protocol_versions: ['2.0'], tools: ['write_file', 'run_command'] } });
const { newSession, join, ask } = edge;

let ref: SessionRef;
let client: FrameClient;

const SHA = 'a'.repeat(64);
const WRITE = { tool: 'write_file', args: '{"path":"src/a.ts","content":"x"}', idempotency: 'unsafe', asks: true } as const;
const RUN = { ...WRITE, tool: 'run_command', args: '{"command":"npm test"}' } as const;

beforeEach(async () => {
  ref = newSession();
  client = await join(ref, 'c1', { workspace: { id: workspaceOf(ref), name: 'repo' } });
});
afterEach(async () => {
  for (const { ruleId } of await edge.bus.rules.list(ref.owner, {})) await edge.bus.rules.revoke(ref.owner, ruleId, 'test');
});

const workspaceOf = ({ sessionId }: SessionRef): string => `w-${sessionId}`;
const question = async (callId: string, call: Partial<TestCall> = WRITE): Promise<void> => {
  await edge.runtime.call(ref, { callId, ...call });
  await client.next('tool_call');
};
/** Decides a call over the socket; the answer, or the code and words of the refusal. */
const decide = async (fields: object): Promise<Frame> => {
  const from = client.received.length;
  client.send({ type: 'hitl_decision', ...fields });
  return eventually('the answer', () => client.received.slice(from).find(({ type }) => type === 'approval_resolved' || type === 'error'));
};
const stateOf = async (callId: string) => (await edge.bus.store.readCalls(ref.sid)).find((call) => call.callId === callId)?.state;
const rulesNow = async () =>
  (await edge.bus.rules.list(ref.owner, {})).map(({ scope, rule }) => ({ scope, ...(JSON.parse(rule) as object) }));

describe('a decision that is remembered', () => {
  test(verifies('H1:remember', 'makes the rule that the human took, after the decision, for the scope that was named'), async () => {
    for (const [index, scope] of (['session', 'project', 'user'] as const).entries()) {
      const callId = `call_${String(index)}`;
      await question(callId);
      const answer = await decide({
        call_id: callId,
        decision: 'approve',
        remember: { scope, rule: { tool: 'write_file', path: 'src/**' } },
      });
      expect(answer).toMatchObject({ type: 'approval_resolved', outcome: 'approved' });
    }
    await eventually('the rules', async () => (await edge.bus.rules.list(ref.owner, {})).length === 3);
    const stored = (await edge.bus.rules.list(ref.owner, {})).toReversed();
    expect(stored.map(({ scope, sessionId, workspaceId, by }) => [scope, sessionId, workspaceId, by])).toEqual([
      ['session', ref.sessionId, undefined, 'alice'],
      ['project', undefined, workspaceOf(ref), 'alice'],
      ['user', undefined, undefined, 'alice'],
    ]);
    expect(await rulesNow()).toContainEqual({ scope: 'user', effect: 'allow', tool: 'write_file', path: 'src/**' });
    const again = await decide({
      call_id: 'call_0',
      decision: 'approve',
      remember: { scope: 'session', rule: { tool: 'write_file', path: '**' } },
    });
    expect(again).toMatchObject({ type: 'error', code: 'ALREADY_RESOLVED' });
    expect(await rulesNow()).toHaveLength(3);
  });

  test('is told to the runtime once the rule is kept, where other calls wait', async () => {
    for (const callId of ['call_1', 'call_2']) await question(callId);
    const remember = { scope: 'session', rule: { tool: 'write_file', path: 'src/**' } };
    await decide({ call_id: 'call_1', decision: 'approve', remember });
    const heard = await eventually('the word', async () => {
      const entries = await edge.bus.store.readInbox(ref.sid, 0);
      return entries.some(({ kind }) => kind === 'rules') ? entries : undefined;
    });
    expect(heard.slice(-2)).toMatchObject([{ kind: 'decision', decision: { remembered: true } }, { kind: 'rules' }]);
  });

  test('forbids from then on, where it was a rejection', async () => {
    await question('call_1');
    await decide({
      call_id: 'call_1',
      decision: 'reject',
      remember: { scope: 'session', rule: { tool: 'write_file', path: 'secret/**' } },
    });
    await eventually('the rule', async () => (await rulesNow()).length === 1);
    expect(await rulesNow()).toEqual([{ scope: 'session', effect: 'deny', tool: 'write_file', path: 'secret/**' }]);
  });

  test(
    verifies('H1:remember-refused', 'as a rule that is not about the call, or that says what is not known, decides nothing'),
    async () => {
      await question('call_1');
      const attempts: [decision: object, rule: object, words: RegExp][] = [
        [{ decision: 'approve' }, { tool: 'write_file', path: 'docs/**' }, /not about the call/],
        [{ decision: 'approve' }, { tool: 'run_command', command: ['npm'] }, /about run_command/],
        [{ decision: 'approve' }, { tool: 'write_file', path: 'src/**', unless: 'x' }, /"unless" is no field/],
        [{ decision: 'approve' }, { tool: 'write_file', effect: 'deny' }, /does not go with approve/],
        [{ decision: 'reject' }, { tool: 'write_file', effect: 'allow' }, /makes no rule that allows/],
        [{ decision: 'approve' }, { tool: 'write_file', path: 'src/**', expires_at_ms: 1 }, /this time is over/],
        [
          { decision: 'edit', modified_args: { path: 'docs/b', content: '' } },
          { tool: 'write_file', path: 'src/**' },
          /not about the call/,
        ],
      ];
      for (const [decision, rule, words] of attempts) {
        const answer = await decide({ call_id: 'call_1', ...decision, remember: { scope: 'session', rule } });
        expect(answer).toMatchObject({ type: 'error', code: 'INVALID_FIELD', reply_to: 'call_1', message: expect.stringMatching(words) });
        const body = { call_id: 'call_1', ...decision, remember: { scope: 'session', rule } };
        expect(outcomeOf(await ask('POST', `/sessions/${ref.sessionId}/decisions`, { body }))).toEqual([422, 'INVALID_FIELD']);
      }
      expect([await stateOf('call_1'), await rulesNow()]).toEqual(['waiting_approval', []]);
    },
  );

  test(
    verifies('H2:agent-of-turn', 'over REST too, edits and the rules made of a decision are judged by the agent of the turn'),
    async () => {
      await edge.bus.store.patch(ref, { agent: 'ask' });
      await question('call_1', { ...WRITE, args: '{"path":"a.md","content":"x"}', agent: 'architect' });
      const post = async (body: object) => outcomeOf(await ask('POST', `/sessions/${ref.sessionId}/decisions`, { body }));
      const edit = { call_id: 'call_1', decision: 'edit', modified_args: { path: 'a.js', content: 'x' } };
      expect(await post(edit)).toEqual([403, 'DENIED_BY_POLICY']);
      const remember = { scope: 'session', rule: { tool: 'write_file', path: '*.md' } };
      expect((await post({ call_id: 'call_1', decision: 'approve', remember }))[0]).toBe(200);
      await eventually('the rule', async () => (await rulesNow()).length === 1);
    },
  );

  test('about a path that always asks, or in strict about a command, is refused: no rule would help', async () => {
    await question('call_1', { ...WRITE, args: '{"path":".env","content":"x"}' });
    const remember = { scope: 'session', rule: { tool: 'write_file', path: '.env' } };
    expect(await decide({ call_id: 'call_1', decision: 'approve', remember })).toMatchObject({
      ...{ code: 'INVALID_FIELD', message: expect.stringMatching(/no rule can spare its question/) },
    });
    await edge.bus.store.patch(ref, { mode: 'strict' });
    await question('call_2', { ...RUN, args: '{"command":"curl x"}' });
    const command = { scope: 'session', rule: { tool: 'run_command', command: ['curl'] } };
    expect(await decide({ call_id: 'call_2', decision: 'approve', remember: command })).toMatchObject({ code: 'INVALID_FIELD' });
    expect(await stateOf('call_2')).toBe('waiting_approval');
  });

  test(verifies('H2:remember-files', 'is bound to the files as the preview showed them, and to no others'), async () => {
    await question('call_1', RUN);
    const rule = { tool: 'run_command', command: ['npm', 'test'], files: [{ path: 'package.json' }] };
    const approve = (changes: object) =>
      decide({ call_id: 'call_1', decision: 'approve', remember: { scope: 'project', rule: { ...rule, ...changes } } });
    expect(await approve({})).toMatchObject({ code: 'INVALID_FIELD', message: expect.stringContaining('package.json') });
    const preview = { kind: 'command', text: 'npm test' };
    client.send({
      type: 'tool_preview',
      call_id: 'call_1',
      preview,
      operands: [
        { path: 'package.json', sha256: SHA },
        { path: 'gone', sha256: '' },
      ],
    });
    await client.next('approval_updated');
    expect(await approve({ files: [{ path: 'gone' }] })).toMatchObject({ code: 'INVALID_FIELD' });
    expect(await approve({ files: [{ path: 'package.json', sha256: 'b'.repeat(64) }] })).toMatchObject({
      ...{ code: 'INVALID_FIELD', message: expect.stringContaining('another sha256') },
    });
    expect(await stateOf('call_1')).toBe('waiting_approval');
    expect(await approve({})).toMatchObject({ type: 'approval_resolved', args_sha256: argsDigest({ command: 'npm test' }) });
    await eventually('the rule', async () => (await rulesNow()).length === 1);
    expect(await rulesNow()).toEqual([{ scope: 'project', effect: 'allow', ...rule, files: [{ path: 'package.json', sha256: SHA }] }]);
  });

  test('needs the scope approve, and a project needs a workspace', async () => {
    await question('call_1');
    const remember = { scope: 'project', rule: { tool: 'write_file', path: 'src/**' } };
    const body = { call_id: 'call_1', decision: 'approve', remember };
    const path = `/sessions/${ref.sessionId}/decisions`;
    expect(outcomeOf(await ask('POST', path, { body, token: 'narrow-token' }))).toEqual([403, 'FORBIDDEN']);
    await client.close();
    client = await join(ref);
    const refused = await ask('POST', path, { body });
    expect([outcomeOf(refused), refused.text]).toEqual([[422, 'INVALID_FIELD'], expect.stringContaining('no workspace')]);
    expect(await rulesNow()).toEqual([]);
  });
});

describe('rules over REST', () => {
  const rule = { effect: 'allow', tool: 'write_file', path: 'src/**' };

  test(verifies('H1:rules-rest', 'are made, listed in parts and revoked; the same rule again is the same rule'), async () => {
    const made = await ask('POST', '/rules', { body: { scope: 'user', rule } });
    expect([made.status, made.body]).toMatchObject([
      201,
      { scope: 'user', rule, by: 'alice', description: expect.stringContaining('src/**') },
    ]);
    expect((await ask('POST', '/rules', { body: { scope: 'user', rule } })).status).toBe(200);
    await ask('POST', '/rules', { body: { scope: 'session', session_id: ref.sessionId, rule } });
    await ask('POST', '/rules', { body: { scope: 'project', workspace_id: 'w', rule: { ...rule, expires_at_ms: Date.now() + 60_000 } } });
    const first = await ask('GET', '/rules?limit=2');
    expect(first.body).toMatchObject({
      rules: [{ scope: 'project', workspace_id: 'w', expires_at_ms: expect.any(Number) }, {}],
      next_cursor: '2',
    });
    expect((await ask('GET', '/rules?limit=2&cursor=2')).body['rules']).toHaveLength(1);
    expect((await ask('GET', '/rules?scope=session')).body['rules']).toMatchObject([{ session_id: ref.sessionId }]);
    const id = String(made.body['rule_id']);
    expect((await ask('DELETE', `/rules/${id}`, { token: 'narrow-token' })).status).toBe(403);
    expect((await ask('DELETE', `/rules/${id}`)).body).toEqual({ removed: 1 });
    expect((await ask('DELETE', `/rules?rule_id=${id}`)).body).toEqual({ removed: 0 });
    expect((await ask('GET', '/rules?scope=user')).body['rules']).toEqual([]);
  });

  test('are refused in words when they are no rules, or bound to nothing', async () => {
    const make = async (body: unknown) => outcomeOf(await ask('POST', '/rules', { body }));
    expect(await make({ scope: 'user' })).toEqual([422, 'MISSING_FIELD']);
    expect(await make({ scope: 'everybody', rule })).toEqual([422, 'INVALID_FIELD']);
    expect(await make({ scope: 'user', rule: { tool: 'write_file' } })).toEqual([422, 'MISSING_FIELD']);
    expect(await make({ scope: 'user', rule: { ...rule, tool: '*', path: undefined } })).toEqual([422, 'INVALID_FIELD']);
    const files = { effect: 'allow', tool: 'run_command', command: ['make'], files: [{ path: 'Makefile' }] };
    expect(await make({ scope: 'user', rule: files })).toEqual([422, 'INVALID_FIELD']);
    expect(await make({ scope: 'project', rule })).toEqual([422, 'INVALID_FIELD']);
    expect(await make({ scope: 'session', rule, session_id: 'never-was' })).toEqual([404, 'SESSION_NOT_FOUND']);
    expect(outcomeOf(await ask('POST', '/rules', { body: { scope: 'user', rule }, token: 'narrow-token' }))).toEqual([403, 'FORBIDDEN']);
    expect(outcomeOf(await ask('GET', '/rules?scope=all'))).toEqual([422, 'INVALID_FIELD']);
  });

  test(verifies('S1:rules-owner', "another person sees and revokes none of them, and a session's go with it"), async () => {
    const made = await ask('POST', '/rules', { body: { scope: 'session', session_id: ref.sessionId, rule } });
    const token = 'bob-token';
    expect((await ask('GET', '/rules', { token })).body).toEqual({ rules: [] });
    expect((await ask('DELETE', `/rules/${String(made.body['rule_id'])}`, { token })).body).toEqual({ removed: 0 });
    expect(outcomeOf(await ask('GET', `/rules?session_id=${ref.sessionId}`, { token }))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect(outcomeOf(await ask('GET', `/audit?session_id=${ref.sessionId}`, { token }))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect((await ask('GET', '/audit', { token })).body).toEqual({ entries: [] });
    expect((await ask('DELETE', `/sessions/${ref.sessionId}`)).status).toBe(204);
    expect((await ask('GET', '/rules')).body).toEqual({ rules: [] });
    expect(await edge.redis.client.keys(`*${ref.sid}*`)).toEqual([]);
  });

  test(verifies('H3:audit-rest', 'who decided what is shown newest first, by session or in all, and of what'), async () => {
    await question('call_1', { ...WRITE, args: '{"path":"src/a.ts","content":"private words"}' });
    await decide({ call_id: 'call_1', decision: 'approve', remember: { scope: 'user', rule: { tool: 'write_file', path: 'src/**' } } });
    await eventually('the rule', async () => (await rulesNow()).length === 1);
    const { body, text } = await ask('GET', `/audit?session_id=${ref.sessionId}`);
    expect(body['entries']).toMatchObject([
      {
        outcome: 'rule_created',
        by: 'alice',
        call_id: 'call_1',
        rule_id: expect.stringMatching(/^rule_/),
        target: 'allows write_file on src/**',
      },
      {
        outcome: 'approved',
        by: 'alice',
        call_id: 'call_1',
        tool_name: 'write_file',
        session_id: ref.sessionId,
        at_ms: expect.any(Number),
      },
    ]);
    expect(text).not.toMatch(/private words/);
    const narrowed = await ask('GET', '/audit?outcome=nothing');
    expect(narrowed.body).toEqual({ entries: [] });
    const all = (await ask('GET', '/audit')).body['entries'] as Record<string, string>[];
    const [{ outcome = '', by = '' } = {}] = all;
    const same = (await ask('GET', `/audit?limit=1&outcome=${outcome}&query=${by.toUpperCase()}`)).body['entries'] as Record<
      string,
      string
    >[];
    expect(same[0]).toEqual(all[0]);
    expect((await ask('GET', '/audit?query=no+such+words')).body).toEqual({ entries: [] });
    const part = await ask('GET', '/audit?limit=1');
    expect(part.body).toMatchObject({ entries: [{ outcome: 'rule_created' }], next_cursor: expect.any(String) });
    const next = await ask('GET', `/audit?limit=1&cursor=${encodeURIComponent(String(part.body['next_cursor']))}`);
    expect(next.body['entries']).toMatchObject([{ outcome: 'approved', call_id: 'call_1' }]);
    expect(outcomeOf(await ask('GET', '/audit?cursor=x'))).toEqual([422, 'INVALID_FIELD']);
  });
});
