import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import type { WriteStream } from 'node:tty';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifies } from '@codelab/testkit';
import { showAudit } from '../audit/run-audit.js';
import { addRule, listRules, removeRule } from './run-rules.js';

interface Heard {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: unknown;
}

let folder: string;
let server: Server;
let heard: Heard[];
let answers: object[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-rules-'));
  vi.stubEnv('CODELAB_DATA_DIR', join(folder, 'data'));
  [heard, answers] = [[], []];
  server = createServer((request: IncomingMessage, response) => {
    void readAll(request).then((body) => {
      heard.push({ method: request.method, url: request.url, body: body === '' ? undefined : JSON.parse(body) });
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(answers.shift() ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const gateway = () => ({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`, token: 't' });

async function printed(command: (out: WriteStream) => Promise<void>): Promise<string> {
  const out = new PassThrough();
  await command(out as unknown as WriteStream);
  out.end();
  return readAll(out);
}

test('rules are listed, as a table and for programs, and removed by their id', async () => {
  const rules = [{ rule_id: 'r1', scope: 'user', rule: { effect: 'deny', tool: 'git.commit' } }];
  answers = [{ rules, next_cursor: '1' }, { rules: [] }, { rules }, { rules }, { removed: 1 }, { rules }, { removed: 0 }];
  expect(await printed((out) => listRules({ ...gateway(), session: 's' }, out, new PassThrough()))).toBe(
    'deny   git.commit\n       r1 · servers · user\n',
  );
  expect(JSON.parse(await printed((out) => listRules({ ...gateway(), json: true }, out, new PassThrough())))).toEqual({
    rules,
    local_rules: [],
  });
  expect(await printed((out) => removeRule('r/1', gateway(), out))).toBe('Removed r/1.\n');
  await expect(printed((out) => removeRule('r2', gateway(), out))).rejects.toThrow('There is no rule r2');
  expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v1/rules?session_id=s&limit=100',
    'GET /api/v1/rules?session_id=s&limit=100&cursor=1',
    'GET /api/v1/rules?limit=100',
    'GET /api/v1/rules?limit=100',
    'DELETE /api/v1/rules?rule_id=r%2F1',
    'GET /api/v1/rules?limit=100',
    'DELETE /api/v1/rules?rule_id=r2',
  ]);
});

test(verifies('H1:rule-bound', 'a rule of the command line is bound to its place, and to the code that its command runs'), async () => {
  answers = [{ rule_id: 'r1' }, { rule_id: 'r2' }];
  await writeFile(join(folder, 'package.json'), '{"scripts":{"test":"true"}}');
  const base = { ...gateway(), workspace: folder };
  const text = await printed((out) => addRule({ ...base, scope: 'project', allow: 'run_command', command: 'npm test' }, out));
  expect(text).toMatch(/^Added r1: allow run_command · commands that begin with “npm test” · while package.json is unchanged\n$/);
  const sha256 = createHash('sha256').update('{"scripts":{"test":"true"}}').digest('hex');
  expect(heard[0]!.body).toMatchObject({
    scope: 'project',
    workspace_id: expect.any(String),
    rule: { files: [{ path: 'package.json', sha256 }] },
  });
  await printed((out) => addRule({ ...base, scope: 'session', session: 's', deny: 'write_file', path: 'src/**' }, out));
  expect(heard[1]!.body).toEqual({ scope: 'session', session_id: 's', rule: { effect: 'deny', tool: 'write_file', path: 'src/**' } });
});

test('what is added holds on this machine, too: it is one rule of both, and removed from both by either id', async () => {
  answers = [{ rule_id: 'r1' }, { rules: [{ rule_id: 'r1', scope: 'user', rule: { effect: 'deny', tool: 'git.commit' } }] }];
  await printed((out) => addRule({ ...gateway(), workspace: folder, scope: 'user', deny: 'git.commit' }, out));
  const list = (options = gateway()) => printed((out) => listRules(options, out, err));
  const err = new PassThrough();
  const rows = (await list()).trimEnd().split('\n');
  expect(rows).toEqual(['deny   git.commit', '       r1 · servers and this machine · user']);
  const away = { url: 'ws://127.0.0.1:1/ws', token: 't' };
  const [, id] = /^deny {3}git\.commit\n +([0-9a-f]{16}) · this machine · user · just now\n$/.exec(await list(away))!;
  expect(String(err.read())).toMatch(/^Only the rules of this machine are shown\. No gateway answers/);
  const rules = [{ rule_id: 'r1', scope: 'user', rule: { effect: 'deny', tool: 'git.commit' } }];
  answers = [{ rules }, { removed: 1 }, { rules: [] }];
  expect(await printed((out) => removeRule(id!, gateway(), out))).toBe(`Removed ${id}.\n`);
  expect(heard.at(-1)).toMatchObject({ method: 'DELETE', url: '/api/v1/rules?rule_id=r1' });
  expect(await list()).toMatch(/no rules yet/);
  answers = [{ rule_id: 'r1' }, { rules }, { removed: 1 }, { rules: [] }];
  await printed((out) => addRule({ ...gateway(), workspace: folder, scope: 'user', deny: 'git.commit' }, out));
  expect(await printed((out) => removeRule('r1', gateway(), out))).toBe('Removed r1.\n');
  expect(await list()).toMatch(/no rules yet/);
  answers = [{ rule_id: 'r1' }];
  await printed((out) => addRule({ ...gateway(), workspace: folder, scope: 'user', deny: 'git.commit' }, out));
  expect(await printed((out) => removeRule(id!, away, out))).toMatch(
    /^Removed [0-9a-f]{16} on this machine; what the servers keep of it stays\. No/,
  );
});

test.each([
  ['no effect', { scope: 'user' }, /one of --allow/],
  ['two effects', { scope: 'user', allow: 'x', deny: 'x' }, /one of --allow/],
  ['a session scope without a session', { scope: 'session', deny: 'x' }, /--session names/],
  ['a session that is not meant', { scope: 'user', deny: 'x', session: 's' }, /--session names/],
] as const)('%s is said before anything is sent', async (_name, options, message) => {
  await expect(printed((out) => addRule({ ...gateway(), workspace: folder, ...options }, out))).rejects.toThrow(message);
  expect(heard).toEqual([]);
});

test('the audit is fetched up to its limit', async () => {
  const entry = { at_ms: 0, tool_name: 't', outcome: 'asked', by: 'policy' };
  answers = [
    { entries: Array.from({ length: 100 }, () => entry), next_cursor: 'c' },
    { entries: Array.from({ length: 20 }, () => entry), next_cursor: 'd' },
  ];
  const rows = await printed((out) => showAudit({ ...gateway(), limit: 120 }, out));
  expect(rows.trimEnd().split('\n')).toHaveLength(120);
  expect(heard.map(({ url }) => url)).toEqual(['/api/v1/audit?limit=100', '/api/v1/audit?limit=20&cursor=c']);
});
