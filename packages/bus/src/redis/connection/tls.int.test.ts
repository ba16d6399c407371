import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Redis } from 'ioredis';
import { eventually, verifies } from '@codelab/testkit';
import { freePort } from '../../../test/free-port.js';
import { hasTls, makeCertificate, startTlsServer, type TlsServer } from '../../../test/start-tls-server.js';

const register = new URL('../../../../../scripts/register-swc.mjs', import.meta.url).href;
const program = fileURLToPath(new URL('../../../test/use-store.ts', import.meta.url));
const can = hasTls(); // else `keys.test.ts` alone pins the options

const opened: { close(): Promise<void> }[] = [];
let certificate: Awaited<ReturnType<typeof makeCertificate>>;
beforeAll(async () => {
  if (can) certificate = await makeCertificate();
});
afterAll(async () => {
  for (const one of opened.reverse()) await one.close();
  await certificate?.close();
});

const start = async (...asked: [settings: readonly string[], mode?: readonly string[]]): Promise<TlsServer> => {
  const server = await startTlsServer(certificate, ...asked);
  opened.push(server);
  return server;
};

/** A word to a server itself, whoever signed its certificate. */
const tell = async (port: number, password: string, ...words: readonly [string, ...string[]]): Promise<string> => {
  const redis = new Redis({
    host: 'localhost',
    port,
    password,
    tls: { rejectUnauthorized: false },
    retryStrategy: () => 50,
    maxRetriesPerRequest: null,
    enableReadyCheck: false,
  });
  redis.on('error', () => undefined);
  try {
    return String(await redis.call(...words));
  } finally {
    redis.disconnect();
  }
};

const use = async (url: string): Promise<unknown> => {
  const args = ['--conditions=codelab-source', '--import', register, program, url];
  const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificate.file };
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
};

const WORKS = { health: { isHealthy: true }, silent: [], work: { services: [{ service: 'gateway' }] } };

test.skipIf(!can)(
  verifies('G2:redis-tls', 'a cluster is used and looked at by TLS, by the names that its certificate is for'),
  async () => {
    const cluster = ['cluster-enabled yes', 'tls-cluster yes', `cluster-port ${await freePort()}`];
    const named = ['cluster-announce-hostname localhost', 'cluster-preferred-endpoint-type hostname'];
    const { port } = await start([...cluster, ...named, 'requirepass secret']);
    await tell(port, 'secret', 'CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await eventually('the cluster', async () => (await tell(port, 'secret', 'CLUSTER', 'INFO')).includes('cluster_state:ok'));
    const address = `localhost:${port}`;
    expect(await use(`rediss+cluster://:secret@${address}`)).toMatchObject({
      ...{ ...WORKS, nodes: [{ address, role: 'master' }], cluster: { failing: [], uncoveredSlots: 0, withoutReplica: [address] } },
    });
  },
);

test.skipIf(!can)(
  verifies('G2:redis-tls', 'behind Sentinel the sentinels and the master are spoken to by TLS, each with its password'),
  async () => {
    const master = await start(['requirepass secret']);
    await tell(master.port, 'secret', 'PING');
    const watched = [
      'sentinel resolve-hostnames yes',
      'sentinel announce-hostnames yes',
      `sentinel monitor main localhost ${master.port} 1`,
    ];
    const sentinel = await start([...watched, 'sentinel auth-pass main secret', 'requirepass word'], ['--sentinel']);
    await eventually('the sentinel', async () => (await tell(sentinel.port, 'word', 'SENTINEL', 'CKQUORUM', 'main')).startsWith('OK'));
    const address = `localhost:${sentinel.port}`;
    expect(await use(`rediss+sentinel://:secret@${address}/main?sentinelPassword=word`)).toMatchObject({
      ...{ ...WORKS, nodes: [{ address: `localhost:${master.port}`, role: 'master' }], sentinels: { answering: [address], silent: [] } },
    });
  },
);
