import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { SCRIPT_LIMITS } from './limits.js';

/** A script as Redis runs it: its includes and the limits are in its text. */
export interface LuaScript {
  /** `settleCall` for `settle-call-8.lua`. */
  readonly name: string;
  readonly numberOfKeys: number;
  readonly lua: string;
  /** What EVALSHA calls it. */
  readonly sha: string;
}

const FILE = /^[a-z]+\/([a-z-]+)-(\d+)\.lua$/;
const INCLUDE = /^-- include ([a-z]+)$/gm;

const camelCase = (text: string): string => text.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const limitsInLua = `local LIMITS = { ${Object.entries(SCRIPT_LIMITS)
  .map(([name, value]) => `${name} = ${String(value)}`)
  .join(', ')} }\n`;

/** Reads every script of the folders of `lua/`, beside this file, which a service's bundle has beside itself. The number in a name is that of its keys. */
export function loadScripts(): readonly LuaScript[] {
  const directory = new URL('./lua/', import.meta.url);
  const read = (file: string): string => readFileSync(new URL(file, directory), 'utf8');
  const resolve = (text: string): string => text.replaceAll(INCLUDE, (_, include: string) => resolve(read(`includes/${include}.lua`)));
  const scripts: LuaScript[] = [];
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const [, name, keys] = FILE.exec(file) ?? [];
    if (name === undefined || keys === undefined) continue;
    const lua = limitsInLua + resolve(read(file));
    scripts.push({ name: camelCase(name), numberOfKeys: Number(keys), lua, sha: createHash('sha1').update(lua).digest('hex') });
  }
  return scripts;
}
