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

const LIMIT = /\bLIMITS\.(\w+)/g;
const READ_FIELDS = /\bREAD_FIELDS\((\w+), ([^,]+), \{([^}]+)\}\)/g;

/** A limit by its number. */
const limitOf = (_: string, name: string): string => {
  if (!(name in SCRIPT_LIMITS)) throw new Error(`a script names LIMITS.${name}, which is not in SCRIPT_LIMITS`);
  return String(SCRIPT_LIMITS[name as keyof typeof SCRIPT_LIMITS]);
};

/**
 * `READ_FIELDS(key, prefix, { name = default, … })`: some fields of a hash, in one command, as a table; one with a default of 0 is a number.
 * Written out, because a loop over names takes Redis several times as long, and each script begins with it.
 */
const readFields = (_: string, key: string, prefix: string, list: string): string => {
  const fields = [...list.matchAll(/(\w+) = ('{2}|0)/g)].map(([, name = '', none = '']) => ({ name, none }));
  const names = fields.map(({ name }) => (prefix === "''" ? `'${name}'` : `${prefix} .. '${name}'`));
  const values = fields.map(({ name, none }, at) => {
    const value = `v[${String(at + 1)}]`;
    return `${name} = ${none === '0' ? `tonumber(${value})` : value} or ${none}`;
  });
  return `(function(v) return { ${values.join(', ')} } end)(redis.call('HMGET', ${key}, ${names.join(', ')}))`;
};

/** Reads every script of the folders of `lua/`, beside this file, which a service's bundle has beside itself. The number in a name is that of its keys. */
export function loadScripts(): readonly LuaScript[] {
  const directory = new URL('./lua/', import.meta.url);
  const read = (file: string): string => readFileSync(new URL(file, directory), 'utf8');
  const resolve = (text: string): string => text.replaceAll(INCLUDE, (_, include: string) => resolve(read(`includes/${include}.lua`)));
  const scripts: LuaScript[] = [];
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const [, name, keys] = FILE.exec(file) ?? [];
    if (name === undefined || keys === undefined) continue;
    const lua = resolve(read(file)).replaceAll(LIMIT, limitOf).replaceAll(READ_FIELDS, readFields);
    scripts.push({ name: camelCase(name), numberOfKeys: Number(keys), lua, sha: createHash('sha1').update(lua).digest('hex') });
  }
  return scripts;
}
