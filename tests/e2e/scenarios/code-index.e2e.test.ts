import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies, type ScriptedProvider } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { plan, type Planned, startPlannedModel } from '../planned-model.js';
import { runCommand, startSystem, type System } from '../start-system.js';

let model: ScriptedProvider;
let system: System;
let repository: Repository;

const GUARD = `/** Refuses somebody who gave a wrong password too often, until some time has passed. */
export function guardEntrance(account: Account, now: number): boolean {
  return account.failures < 5 || now - account.lastFailure > 900_000;
}
`;
/** Files in which the words of the question stand, too. */
const NOISE = Object.fromEntries(
  Array.from({ length: 20 }, (_, file) => [
    `src/view${String(file)}.ts`,
    Array.from(
      { length: 30 },
      (_, line) => `export const label${String(line)} = 'Your password for the login of view ${String(file)}';`,
    ).join('\n'),
  ]),
);

beforeAll(async () => {
  model = await startPlannedModel();
  system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
  repository = await makeRepository({ files: 3, extra: { ...NOISE, 'src/guard.ts': GUARD } });
  // a search answers with what there is: it is to be there
  expect((await runCommand(['index', 'rebuild', '--workspace', repository.root], { env: system.env })).code).toBe(0);
});

afterAll(async () => {
  await system.stop();
  await model.close();
  await repository.remove();
});

/** What a model was offered and shown in a run. */
interface Seen {
  readonly offered: readonly string[];
  readonly prompt: string;
  readonly results: readonly string[];
}

const run = async (session: string, setting: string, ...planned: Planned[]): Promise<Seen> => {
  const config = join(system.dataDir, session);
  await mkdir(join(config, 'codelab'), { recursive: true });
  await writeFile(join(config, 'codelab/config.yaml'), setting);
  const gateway = ['--url', system.gateways[0]?.ws ?? '', '--token', system.token];
  const args = [
    'exec',
    '--workspace',
    repository.root,
    ...gateway,
    '--vocabulary',
    'agent',
    '--session',
    session,
    '--json',
    plan(...planned),
  ];
  const { code } = await runCommand(args, { env: { ...system.env, XDG_CONFIG_HOME: config } });
  expect(code).toBe(0);
  const { messages, tools } = model.requests.at(-1)!.body as unknown as {
    messages: readonly { role: string; content: unknown }[];
    tools: readonly { function: { name: string } }[];
  };
  return {
    offered: tools.map((tool) => tool.function.name),
    prompt: String(messages[0]?.content),
    results: messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
  };
};

const bytes = ({ results }: Seen): number => results.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

test(
  verifies(
    'L3:index-offered',
    'a client with an index offers it, and its model finds with one call what takes several searches; a setting turns it off',
  ),
  async () => {
    const withIndex = await run(
      'with-index',
      'index: on\n',
      { calls: [{ tool: 'codebase', args: { query: 'how often may somebody give a wrong password before they are refused?', limit: 3 } }] },
      { text: 'Five times.' },
    );
    const without = await run(
      'without-index',
      'index: off\n',
      { calls: [{ tool: 'search', args: { pattern: 'login' } }] },
      { calls: [{ tool: 'search', args: { pattern: 'password' } }] },
      { calls: [{ tool: 'read_file', args: { path: 'src/guard.ts' } }] },
      { text: 'Five times.' },
    );
    expect(withIndex.offered).toEqual(expect.arrayContaining(['codebase', 'view_repo_map']));
    expect(withIndex.prompt).toContain('begin with codebase');
    expect(withIndex.results[0]).toMatch(/^src\/guard\.ts:1-4\n {2}1: \/\*\* Refuses somebody/);
    expect(without.offered).not.toContain('codebase');
    expect(without.prompt).not.toContain('codebase');
    expect(without.results.at(-1)).toContain('guardEntrance');
    expect([withIndex.results.length, without.results.length]).toEqual([1, 3]);
    expect(bytes(withIndex) * 2).toBeLessThan(bytes(without));
  },
);

test('a model for vectors is asked at llm-proxy', async () => {
  const config = join(system.dataDir, 'vectors');
  await mkdir(join(config, 'codelab'), { recursive: true });
  await writeFile(join(config, 'codelab/config.yaml'), `embeddings_model: offline\nembeddings_url: ${system.proxies[0]?.url ?? ''}/v1\n`);
  const env = { ...system.env, XDG_CONFIG_HOME: config, CODELAB_TOKEN: system.token };
  const rebuilt = await runCommand(['index', 'rebuild', '--workspace', repository.root, '--json'], { env });
  const { files, chunks, vectors } = JSON.parse(rebuilt.stdout) as Record<string, number>;
  expect(files).toBeGreaterThan(20);
  expect(vectors).toBe(chunks);
  const { stdout } = await runCommand(['index', 'search', 'wrong password too often', '--workspace', repository.root], { env });
  expect(stdout).toContain('src/guard.ts:1-4');
});

test('a map of the project is one call', async () => {
  const { results } = await run('map', '', { calls: [{ tool: 'view_repo_map', args: { path: 'src' } }] }, { text: 'Seen.' });
  expect(results[0]).toContain('src/guard.ts: guardEntrance(account, now)');
});
