import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';

/** A `redis-server` that speaks nothing but TLS, by a certificate for `localhost` alone. */
export interface TlsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Whether the programs of this machine can do it: Redis may be built without TLS. */
export const hasTls = (): boolean =>
  spawnSync('openssl', ['version']).status === 0 &&
  spawnSync('redis-server', ['--port', '0', '--tls-port', '1'], { encoding: 'utf8' }).stdout.includes('TLS');

/** A certificate that signs itself, in a folder of its own. `file` is what clients trust. */
export async function makeCertificate(): Promise<{ readonly file: string; readonly key: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-tls-'));
  const [file, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', file];
  await promisify(execFile)('openssl', [...args, ...subject]);
  return { file, key, close: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts one with more settings, each a line of its configuration. */
export async function startTlsServer(
  { file, key }: { readonly file: string; readonly key: string },
  settings: readonly string[],
  mode: readonly string[] = [],
): Promise<TlsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-redis-tls-'));
  const port = await freePort();
  const own = [
    ...['port 0', `tls-port ${port}`, 'tls-auth-clients no', 'tls-replication yes', `dir ${folder}`],
    ...[`tls-cert-file ${file}`, `tls-key-file ${key}`, `tls-ca-cert-file ${file}`],
  ];
  await writeFile(join(folder, 'redis.conf'), [...own, ...settings, ''].join('\n'));
  const child = spawn('redis-server', [join(folder, 'redis.conf'), ...mode], { stdio: 'ignore' });
  return {
    port,
    close: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
