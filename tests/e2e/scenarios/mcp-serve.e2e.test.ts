import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, startTerminal, verifies, type TerminalSession } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { SDKS, startMcpProgram, type McpProgram, type McpProgramOptions } from '../mcp-program.js';
import { CLI } from '../start-system.js';

let dataDir = '';
let env: Record<string, string> = {};
let repository: Repository;
let programs: McpProgram[] = [];
let terminal: TerminalSession | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'codelab-mcp-data-'));
  const inherited = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  env = { ...inherited, CODELAB_DATA_DIR: dataDir, XDG_CONFIG_HOME: join(dataDir, 'config') };
  for (const name of ['CODELAB_TOKENS', 'NO_COLOR', 'COLORFGBG', 'TMUX', 'TERM_PROGRAM']) delete env[name];
  repository = await makeRepository({ extra: { 'a.txt': 'one\n', '.codelab/commands/fix.md': 'Fix $ARGUMENTS.\n' } });
});
afterEach(async () => {
  await Promise.all(programs.map((program) => program.close()));
  await terminal?.close();
  programs = [];
  terminal = undefined;
  await repository.remove();
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (options: Omit<McpProgramOptions, 'root' | 'env'>): Promise<McpProgram> => {
  const program = await startMcpProgram({ root: repository.root, env, ...options });
  programs.push(program);
  return program;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const write = { path: 'b.txt', content: 'two\n' };
const read = (path: string): Promise<string> => readFile(join(repository.root, path), 'utf8');

describe.each(SDKS)('a program with the SDK %s that starts codelab mcp serve', (sdk) => {
  test(verifies('L3:mcp-serve-stdio', 'reads, writes what its person approves, and leaves nothing behind'), async () => {
    const forms: string[] = [];
    const program = await start({
      sdk,
      onForm: (message) => (forms.push(message), { action: 'accept', content: { decision: 'approve' } }),
    });
    expect(await program.tools()).toEqual(expect.arrayContaining(['read_file', 'git_status', 'run_command']));
    expect(await program.prompt('fix', 'the port')).toBe('Fix the port.');
    expect(await program.call('read_file', { path: 'a.txt' })).toEqual({ text: 'one\n', isError: false });
    expect(await program.call('write_file', write)).toMatchObject({ isError: false });
    expect(await read('b.txt')).toBe('two\n');
    expect(forms).toHaveLength(1);
    expect(program.errors()).toContain('"event":"mcp.call"');
    expect(program.errors()).not.toContain('two');
    await program.close();
    await eventually('the server has gone', () => !isAlive(program.pid));
  });
});

test(verifies('L3:mcp-serve-index', 'a program searches the index of the code, and sees a map of it'), async () => {
  await writeFile(join(repository.root, 'shop.ts'), '/** Sends the receipt of an order. */\nexport function mailReceipt(order) {}\n');
  const program = await start({ sdk: 'v1' });
  expect(await program.tools()).toEqual(expect.arrayContaining(['index_search', 'index_map']));
  await eventually('the index is built', async () => (await program.call('index_map', {})).text.includes('shop.ts: mailReceipt(order)'));
  expect((await program.call('index_search', { query: 'send receipts of orders' })).text).toMatch(/shop\.ts.*mailReceipt/s);
});

test(verifies('L2:mcp-serve-close', 'a server that is told to end stops the command that it runs'), async () => {
  const program = await start({ sdk: 'v1', argv: ['--approve', 'all'] });
  const call = program.call('run_command', { command: 'echo $$ > pid; sleep 600', timeout_ms: 600_000 }).catch(() => undefined);
  const pid = await eventually('it runs', async () => Number(await read('pid').catch(() => '')) || undefined);
  process.kill(program.pid, 'SIGTERM');
  await eventually('both have gone', () => !isAlive(program.pid) && !isAlive(pid));
  await program.close();
  await call;
});

test(verifies('H1:mcp-serve-console', 'a person at codelab mcp approvals decides what a program without forms wants'), async () => {
  terminal = startTerminal(process.execPath, [CLI, 'mcp', 'approvals', '--workspace', repository.root], { columns: 110, rows: 36, env });
  await terminal.shows('Here MCP servers of');
  const program = await start({ sdk: 'v2 of 2025' });
  const written = program.call('write_file', write);
  await terminal.shows(/Approval needed {2}write_file {2}b\.txt/);
  await terminal.shows('tester asks, over MCP');
  await terminal.shows('two');
  await terminal.until('keys decide', () => keyCounts('a'));
  terminal.type('a');
  expect(await written).toMatchObject({ isError: false });
  await terminal.shows('write_file of tester: approved.');

  const ran = program.call('run_command', { command: 'touch x' });
  await terminal.shows(/Approval needed {2}run_command {2}touch x/);
  await terminal.until('keys decide', () => keyCounts('r'));
  terminal.type('r');
  await terminal.shows('why not?');
  terminal.type('make a note instead');
  terminal.press('enter');
  const { text, isError } = await ran;
  expect({ text, isError }).toMatchObject({ isError: true, text: expect.stringMatching(/\[DENIED_BY_USER\].*make a note instead/) });
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(0);
  expect(await program.call('write_file', write)).toMatchObject({ isError: true, text: expect.stringContaining('[DENIED_BY_POLICY]') });
});

test(
  verifies('L2:mcp-serve-close', 'the endpoint says where it is and how to get its token, not the token, and ends when it is told to'),
  async () => {
    const child = spawn(process.execPath, [CLI, 'mcp', 'serve', '--workspace', repository.root, '--http', '0'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, errors] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()));
    const url = await eventually('it serves', () => /"url":"([^"]+)"/.exec(errors)?.[1]);
    const asked = spawn(process.execPath, [CLI, 'token'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let token = '';
    asked.stdout.on('data', (piece: Buffer) => (token += piece.toString().trim()));
    await once(asked, 'close');
    const ping = (authorization: string): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        }),
      });
    expect((await ping('Bearer x')).status).toBe(401);
    expect((await ping(`Bearer ${token}`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(out).toBe('');
    expect(errors).not.toContain(token);
  },
);

/** A key that decides is underlined; until the panel could be read it is not. */
const keyCounts = (key: string): boolean =>
  terminal!.cells().some((row) => row.some((cell) => cell.text === key && cell.underline && cell.bold));
