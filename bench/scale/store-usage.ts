import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';

/** What a Redis has done since it began, or, as a difference, in a while. Counts of several servers are added up. */
export interface StoreUsage {
  /** Times that each command ran; those that a script passes on count, and the script itself as `evalsha`. */
  readonly commands: Readonly<Record<string, number>>;
  /** Of the process, in milliseconds. */
  readonly cpuMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Written to the append-only file. */
  readonly aofBytes: number;
  /** In use now. */
  readonly memoryBytes: number;
  readonly keys: number;
}

const field = (info: string, name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0);

const aofBytes = async (node: Redis): Promise<number> => {
  const [, directory = ''] = await node.config('GET', 'dir');
  const folder = join(directory, 'appendonlydir');
  const files = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const readNode = async (node: Redis): Promise<StoreUsage> => {
  const [commandStats, all, keys, written] = await Promise.all([node.info('commandstats'), node.info(), node.dbsize(), aofBytes(node)]);
  const commands = Object.fromEntries(
    [...commandStats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, name = '', calls]) => [name, Number(calls)]),
  );
  return {
    ...{ commands, keys, aofBytes: written, memoryBytes: field(all, 'used_memory') },
    cpuMs: 1_000 * (field(all, 'used_cpu_user') + field(all, 'used_cpu_sys')),
    ...{ bytesIn: field(all, 'total_net_input_bytes'), bytesOut: field(all, 'total_net_output_bytes') },
  };
};

const combine = (one: StoreUsage, other: StoreUsage, sign: 1 | -1): StoreUsage => {
  const names = [...new Set([...Object.keys(one.commands), ...Object.keys(other.commands)])];
  const of = (key: Exclude<keyof StoreUsage, 'commands'>): number => one[key] + sign * other[key];
  return {
    commands: Object.fromEntries(names.map((name) => [name, (one.commands[name] ?? 0) + sign * (other.commands[name] ?? 0)])),
    ...{ cpuMs: of('cpuMs'), bytesIn: of('bytesIn'), bytesOut: of('bytesOut') },
    ...{ aofBytes: of('aofBytes'), memoryBytes: of('memoryBytes'), keys: of('keys') },
  };
};

/** Of all its servers together. */
export async function storeUsage(nodes: readonly Redis[]): Promise<StoreUsage> {
  const usages = await Promise.all(nodes.map(readNode));
  return usages.reduce((sum, usage) => combine(sum, usage, 1));
}

/** What happened between two readings. */
export const usageBetween = (before: StoreUsage, after: StoreUsage): StoreUsage => combine(after, before, -1);

/** What a reading itself does, and what BullMQ and the probes of the services do, is in it all the same: it is little and says so by its name. */
const OWN = new Set(['info', 'config|get', 'dbsize', 'ping', 'client|setinfo', 'client|setname']);

/** Commands that clients sent, and those that scripts passed on. */
export const commandCount = ({ commands }: StoreUsage): number =>
  Object.entries(commands).reduce((sum, [name, calls]) => (OWN.has(name) ? sum : sum + calls), 0);

/** The most frequent commands, each per so many events. */
export const commandsPer = ({ commands }: StoreUsage, events: number, most = 12): string =>
  Object.entries(commands)
    .filter(([name, calls]) => !OWN.has(name) && calls / events >= 0.01)
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([name, calls]) => `${name} ${(calls / events).toFixed(2)}`)
    .join(' · ');
