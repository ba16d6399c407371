import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { SessionChoices } from '../../core/session/permission-mode.js';
import { AwayLimit } from '../session/away-limit.js';
import { chooseGateway } from '../session/choose-gateway.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { IDLE_SERVER } from '../mcp/__fixtures__/idle-server.js';
import { ScriptedGateway, type Script } from '../session/__fixtures__/scripted-gateway.js';
import { runPipedChat } from './run-piped-chat.js';

let folder: string;
let gateway: ScriptedGateway;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-piped-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** Pipes lines into a chat with a gateway that answers by `script`. */
async function chat(
  script: Script,
  lines: readonly string[],
  { choices, away, isGone }: { readonly choices?: SessionChoices; readonly away?: AwayLimit; readonly isGone?: true } = {},
): Promise<{ readonly stdout: string; readonly error: unknown }> {
  gateway = await new ScriptedGateway(script, true).listening();
  const dataDir = join(folder, 'data');
  const place = {
    gateway: await chooseGateway({ url: gateway.url, token: 'good' }, () => undefined),
    workspace: await chooseWorkspace(folder, dataDir),
    ...{ dataDir, sessionId: 'new', choices },
  };
  if (isGone) await gateway.close();
  const stdout = new PassThrough();
  const printed = stdout.setEncoding('utf8').toArray() as Promise<string[]>;
  const stdin = Readable.from(lines.map((line) => `${line}\n`));
  const error = await runPipedChat(place, undefined, { stdin, stdout }, away).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  stdout.end();
  return { stdout: (await printed).join(''), error };
}

const answer: Script = (say, heard) => {
  if (heard.type !== 'user_message') return;
  say({ type: 'assistant_message', message_id: `m-${String(heard['message_id'])}`, token: 'Hello', is_final: true, content: 'Hello' });
  const usage = { input_tokens: 1, output_tokens: 1 };
  say({ type: 'turn_ended', turn_id: 't1', message_ids: [heard['message_id']], model: 'offline', status: 'completed', usage });
};

test('each line that is piped in is answered before the next one goes', async () => {
  const { stdout, error } = await chat(answer, ['one', 'two']);
  expect(error).toBeUndefined();
  expect(gateway.of('user_message').map(({ content }) => content)).toEqual(['one', 'two']);
  expect(stdout.match(/› one|› two|Hello/g)).toEqual(['› one', 'Hello', '› two', 'Hello']);
});

test(verifies('R3:piped-chat-ends', 'a piped chat whose gateway does not come back, or sends it away, ends with an error'), async () => {
  const away = await chat((_, heard) => heard.type === 'user_message' && void gateway.close(), ['one', 'two'], {
    away: new AwayLimit(100),
  });
  expect(away.error).toMatchObject({ exitCode: 1, message: expect.stringMatching(/^The gateway was away for .* codelab chat --continue/) });
  const refused = await chat((_, heard) => heard.type === 'user_message' && gateway.dismiss(4500), ['one'], { away: new AwayLimit(100) });
  expect(refused.error).toMatchObject({ exitCode: 1, message: expect.stringMatching(/./) });
});

test(verifies('G4:mcp-servers', 'a piped chat that finds no gateway ends the MCP servers that it started'), async () => {
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
  const pid = join(folder, 'server.pid');
  const mcpServers = { idle: { command: process.execPath, args: ['-e', IDLE_SERVER, pid] } };
  await mkdir(join(folder, 'config', 'codelab'), { recursive: true });
  await writeFile(join(folder, 'config', 'codelab', 'mcp.json'), JSON.stringify({ mcpServers }));
  const { error } = await chat(answer, ['one'], { isGone: true });
  expect(error).toMatchObject({ exitCode: 1, message: expect.stringMatching(/^No gateway answers at /) });
  const server = Number(await readFile(pid, 'utf8'));
  expect(() => process.kill(server, 0)).toThrow('ESRCH');
});

test(
  verifies('L3:session-choices', 'the vocabulary, the model and how much is asked are what was chosen on the command line'),
  async () => {
    await chat(answer, ['one'], { choices: { vocabulary: 'agent', model: 'm', permissionMode: 'plan' } });
    expect(gateway.of('hello')).toMatchObject([{ vocabulary: 'agent', model: 'm', mode: 'plan' }]);
    await gateway.close();
    vi.stubEnv('CODELAB_VOCABULARY', 'claude-code');
    await chat(answer, ['one'], { choices: { permissionMode: 'accept-edits' } });
    expect(gateway.of('hello')).toMatchObject([{ vocabulary: 'claude-code', mode: 'permissive' }]);
    expect(gateway.of('hello')[0]).not.toHaveProperty('agent');
  },
);
