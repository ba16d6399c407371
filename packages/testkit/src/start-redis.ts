import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from './eventually.js';

/** A Redis of one test file. */
export interface TestRedis {
  /** For `createBus`: `unix:/…`. */
  readonly url: string;
  readonly socket: string;
  /** A client of the test itself; connected, comes back after a restart. */
  readonly client: Redis;
  /** Stops the server in order and starts it again, on the same socket. */
  restart(): Promise<void>;
  /** SIGKILL: what is not on disk is lost. Start it again with `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Takes this many bytes off the end of the append-only file of a server that doesn't run, as a disk may that lied. */
  tear(bytes: number): Promise<void>;
  /** SIGSTOP and SIGCONT: it hangs, and goes on. */
  pause(): void;
  resume(): void;
  /** Cuts the connections that listen; what is announced until they are back is lost. */
  dropSubscribers(): Promise<void>;
  close(): Promise<void>;
}

/** How the server runs. */
export interface TestRedisOptions {
  /** Every write is on disk before it is answered. Without, nothing is kept. */
  readonly aof?: boolean;
  /** What is there is kept when it stops in order, and only then. */
  readonly snapshot?: boolean;
  /** Microseconds that it takes to load each key of a snapshot; it answers meanwhile. */
  readonly loadDelayUs?: number;
  /** A cluster of one node that owns all slots. */
  readonly cluster?: boolean;
}

/** For the nodes of a cluster to talk to each other: a node wants one, also where it is alone. */
const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
};

const settings = async ({ aof, snapshot, loadDelayUs = 0, cluster }: TestRedisOptions, directory: string): Promise<string[]> => [
  ...[
    '--port',
    '0',
    '--unixsocket',
    join(directory, 'redis.sock'),
    '--dir',
    directory,
    '--save',
    snapshot === true ? '3600 1' : '',
    '--loglevel',
    'warning',
  ],
  ...['--key-load-delay', String(loadDelayUs), '--loading-process-events-interval-bytes', '1024'],
  ...(aof === true ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']),
  ...(cluster === true
    ? ['--cluster-enabled', 'yes', '--cluster-config-file', join(directory, 'nodes.conf'), '--cluster-port', await freePort()]
    : []),
];

/** A client to a Redis that somebody else started; comes back for ever. Disconnect it. */
export function connectRedis(url: string): Redis {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null, disconnectTimeout: 100, maxLoadingRetryTime: 20 });
  client.on('error', () => undefined);
  return client;
}

/** Why a server does not run: it could not be started, or has ended, and what it printed until then. */
const failureOf = (child: ChildProcess): (() => Error | undefined) => {
  let output = '';
  let failure: Error | undefined;
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once(
    'error',
    ({ message }) => (failure = new Error(`redis-server could not be started (PATH is ${process.env['PATH'] ?? 'not set'}): ${message}`)),
  );
  // `close` comes after the last of its output, `exit` may come before
  child.once(
    'close',
    (code, signal) => (failure ??= new Error(`redis-server ended at its start (${signal ?? `exit code ${String(code)}`}):\n${output}`)),
  );
  return () => failure;
};

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/** Starts a real `redis-server` on a Unix socket in a directory of its own. Each test file starts one, and closes it. */
export async function startRedis(options: TestRedisOptions = {}): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'codelab-redis-'));
  const socket = join(directory, 'redis.sock');
  const client = new Redis({
    path: socket,
    lazyConnect: true,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
    disconnectTimeout: 100,
    maxLoadingRetryTime: 20,
  });
  client.on('error', () => undefined);
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const child = spawn('redis-server', await settings(options, directory), { stdio: ['ignore', 'pipe', 'pipe'] });
    server = child;
    const failure = failureOf(child);
    await eventually('redis-server', async () => {
      const fault = failure();
      if (fault !== undefined) throw fault;
      const probe = new Redis({
        path: socket,
        lazyConnect: true,
        retryStrategy: () => null,
        disconnectTimeout: 10,
        maxLoadingRetryTime: 20,
      });
      probe.on('error', () => undefined);
      try {
        await probe.connect();
        if (options.cluster !== true) return (await probe.ping()) === 'PONG';
        await probe.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383').catch(() => undefined); // it owns them already
        return String(await probe.call('CLUSTER', 'INFO')).includes('cluster_state:ok');
      } catch {
        return false;
      } finally {
        probe.disconnect();
      }
    });
    if (client.status === 'wait') await client.connect();
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined) return;
    server.kill('SIGCONT');
    server.kill(signal);
    await ended(server);
  };

  try {
    await start();
  } catch (error) {
    client.disconnect();
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  return {
    url: `unix:${socket}`,
    socket,
    client,
    start,
    restart: async () => {
      await stop('SIGTERM');
      await start();
    },
    kill: async () => stop('SIGKILL'),
    tear: async (bytes) => {
      const folder = join(directory, 'appendonlydir');
      // While the file is written anew there are two: the one with the higher number is appended to.
      const numberOf = (name: string): number => Number(/\.(\d+)\.incr\./.exec(name)?.[1]);
      const files = (await readdir(folder)).filter((name) => name.includes('.incr.'));
      const file = files.toSorted((one, other) => numberOf(one) - numberOf(other)).at(-1);
      if (file === undefined) throw new Error('Nothing is torn off: Redis was started without `aof`.');
      await truncate(join(folder, file), Math.max(0, (await stat(join(folder, file))).size - bytes));
    },
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    dropSubscribers: async () => void (await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')),
    close: async () => {
      client.disconnect();
      await stop('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
