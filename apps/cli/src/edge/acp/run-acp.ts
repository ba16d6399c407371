import { ndJsonStream } from '@agentclientprotocol/sdk';
import { Readable, Writable } from 'node:stream';
import type { SessionChoices } from '../../core/session/permission-mode.js';
import { readCliConfig } from '../config.js';
import { indexOptions } from '../index/index-options.js';
import type { GatewayOptions } from '../session/choose-gateway.js';
import { AcpAgent } from './acp-agent.js';
import { AcpGateway } from './acp-gateway.js';

/** The options of `codelab acp`. */
export interface AcpOptions extends GatewayOptions, SessionChoices {}

/** Where the editor is, and what is said to people. */
export interface AcpIo {
  readonly input: NodeJS.ReadableStream;
  /** Carries nothing but the protocol. */
  readonly output: NodeJS.WritableStream;
  readonly say: (text: string) => void;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
}

/** Serves one editor until it goes, or the process is asked to end; then nothing of it is left. */
export async function runAcp(options: AcpOptions, { input, output, say, signal }: AcpIo): Promise<void> {
  const { dataDir, configDir } = readCliConfig();
  const gateway = new AcpGateway(options, say);
  const acp = new AcpAgent(gateway, { dataDir, configDir, index: indexOptions(), choices: options });
  const connection = acp.app().connect(ndJsonStream(Writable.toWeb(output as Writable), toBytes(input)));
  const end = (): void => connection.close();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await connection.closed;
  } finally {
    signal.removeEventListener('abort', end);
    await acp.close();
    gateway.stop();
  }
}

const toBytes = (input: NodeJS.ReadableStream): ReadableStream<Uint8Array> => Readable.toWeb(input as Readable);
