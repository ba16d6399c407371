import { createLogger, ensureDataDir, ignoredModelsFile, ignoredToolsFile } from '@codelab/service-shell';
import { describeStack } from '../../core/stack/stack-info.js';
import type { StackShape } from '../../core/stack/plan-stack.js';
import { localToken } from '../local-token.js';
import { modelOfStack, readCliConfig, serviceEnvironment, type CliConfig } from '../config.js';
import { lockDirectory } from './directory-lock.js';
import { HoldServer } from './hold-server.js';
import { installation } from './installation.js';
import { readProviderSettings } from './read-provider-settings.js';
import { publishStack } from './stack-file.js';
import { Stack, type StackSettings } from './stack.js';
import { toolsFileWarning } from './tools-file.js';

/** The wish to end, from wherever it comes. */
interface StopRequest {
  /** Resolves once, at the first signal or call of `request`. */
  readonly requested: Promise<'stop'>;
  readonly request: () => void;
  /** Gives the signals back. */
  readonly dispose: () => void;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** SIGTERM, SIGINT and SIGHUP ask this process to end; the second one calls `force` and ends it with 1. */
function waitForStop(force: () => void): StopRequest {
  let asked = false;
  let resolveRequested: (stop: 'stop') => void = () => {};
  const requested = new Promise<'stop'>((resolve) => (resolveRequested = resolve));
  const request = () => {
    asked = true;
    resolveRequested('stop');
  };
  const onSignal = () => {
    if (!asked) return request();
    force();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const dispose = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return { requested, request, dispose };
}

export interface UpRequest extends StackShape {
  readonly json: boolean;
  readonly whileHeld: boolean;
}

/** Runs a stack from its start to its end. Rejects with a sentence when it can't be started; then nothing is left running. */
export async function runUp(request: UpRequest, mains = installation.mains): Promise<void> {
  const config = readCliConfig();
  const settings = await toSettings(request, config, mains);
  const providers = readProviderSettings(config, settings.token);
  const unlock = await lockDirectory(settings.dataDir);
  const stop = waitForStop(() => stack.kill());
  const stack = new Stack(settings, () => void file.update());
  let hold: HoldServer | undefined;
  const record = () => ({ ...stack.info, pid: process.pid, provider_settings: providers, hold_port: hold?.port });
  const file = publishStack(settings.dataDir, record, (err) => settings.logger.error({ event: 'stack.unpublished', err }));
  if (!request.json) settings.say('Starting …');
  try {
    const outcome = await Promise.race([stack.start().then(() => 'up' as const), stop.requested]);
    if (outcome === 'stop') return;
    if (request.whileHeld) hold = await HoldServer.start(settings.token, stop.request);
    await file.update();
    process.stdout.write(request.json ? `${JSON.stringify(stack.info)}\n` : describeStack(stack.info, settings.dataDir));
    await stop.requested;
    if (!request.json) settings.say('Stopping …');
  } finally {
    await file.remove();
    hold?.close();
    await stack.stop();
    await unlock();
    stop.dispose();
  }
}

async function toSettings(request: UpRequest, config: CliConfig, mains: StackSettings['mains']): Promise<StackSettings> {
  // A person at a terminal reads the summary, not the log; scripts and --json get all of it.
  const logLevel = config.logLevel ?? (request.json || !process.stdout.isTTY ? 'info' : 'warn');
  await ensureDataDir(config.dataDir);
  for (const hint of [ignoredModelsFile(config), ignoredToolsFile(config), await toolsFileWarning(config)])
    if (hint !== undefined) process.stderr.write(`${hint}\n`);
  return {
    shape: request,
    ports: config,
    user: request.whileHeld ? 'chat' : request.json ? 'program' : 'person',
    dataDir: config.dataDir,
    redisUrl: config.redisUrl,
    token: await localToken(config),
    mains,
    environment: { ...serviceEnvironment(config), LOG_LEVEL: logLevel, CODELAB_MODEL: modelOfStack(config) },
    logger: createLogger('up', logLevel),
    say: (text) => void process.stderr.write(`${text}\n`),
  };
}
