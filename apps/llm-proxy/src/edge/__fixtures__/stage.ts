import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProxyConfig } from '../config.js';
import { startProxy, type TestProxy } from './start-proxy.js';

/** Which dialect: O is Chat Completions, A is Messages. */
export type Side = 'O' | 'A';

/** *caller → upstream*. */
export type Direction = `${Side}→${Side}`;

export const DIRECTIONS: readonly Direction[] = ['O→O', 'O→A', 'A→O', 'A→A'];

export const callerOf = (direction: Direction): Side => direction[0] as Side;
export const upstreamOf = (direction: Direction): Side => direction[2] as Side;

/** Where callers of a side ask. */
export const PATHS: Readonly<Record<Side, string>> = { O: '/v1/chat/completions', A: '/v1/messages' };

/** More pairs of upstreams than a file has tests. */
const PAIRS = 80;

export interface Stage {
  readonly proxy: TestProxy;
  /** A model of an upstream of that side which nobody asked yet: what one test does to it no other one feels. */
  model(side: Side): string;
  close(): Promise<void>;
}

/** A proxy before many upstreams of both kinds, which are all the same server. */
export async function openStage(server: { readonly baseUrl: string; readonly origin: string }, overrides: Partial<ProxyConfig> = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'stage-'));
  const modelsFile = join(folder, 'models.yaml');
  const pairs = Array.from({ length: PAIRS }, (_, n) => [
    `  o${n}: { type: openai, base_url: "${server.baseUrl}" }`,
    `  a${n}: { type: anthropic, base_url: "${server.origin}" }`,
  ]);
  await writeFile(modelsFile, `upstreams:\n${pairs.flat().join('\n')}\n`);
  const proxy = await startProxy({ modelsFile, ...overrides });
  let used = -1;
  return {
    proxy,
    model: (side) => `${side === 'O' ? 'o' : 'a'}${(used += 1) % PAIRS}/model`,
    close: async () => {
      await proxy.stop();
      await rm(folder, { recursive: true });
    },
  };
}
