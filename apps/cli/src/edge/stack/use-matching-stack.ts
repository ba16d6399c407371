import type { StackRecord } from '@codelab/client/local-stack';
import { setTimeout as delay } from 'node:timers/promises';
import { describeMissing, missingSettings } from '../../core/stack/provider-settings.js';
import type { CliConfig } from '../config.js';
import { useLocalStack, type UsedStack } from './local-stack.js';
import { readProviderSettings } from './read-provider-settings.js';
import { CommandError } from '../../core/command-error.js';
import { signalProcess } from './end-process.js';
import { isAlive } from './process-identity.js';

/** Services drain for some seconds, and Redis writes its file. */
const END_MS = 30_000;

/** Ends a stack of this machine in good order, and resolves when it is gone. Turns that run there are taken up by the next one. */
export async function endStack({ pid }: StackRecord): Promise<void> {
  signalProcess(pid, 'SIGTERM');
  for (const deadline = Date.now() + END_MS; await isAlive(pid); await delay(50))
    if (Date.now() > deadline)
      throw new CommandError(`The stack (process ${pid}) did not end within ${END_MS / 1_000} s: stop it by hand.`);
}

/**
 * The running stack, or one that is started. One that runs with other providers than our settings name is started again if `mayRestart` says
 * so; else it is used as it is, and that is said.
 */
export async function useMatchingStack(
  config: CliConfig,
  say: (text: string) => void,
  mayRestart?: (why: string) => Promise<boolean>,
): Promise<UsedStack> {
  const stack = await useLocalStack(config.dataDir, say);
  const { record } = stack;
  const missing = missingSettings(readProviderSettings(config, record.token), record.provider_settings);
  if (missing.length === 0) return stack;
  const why = describeMissing(missing);
  if (!mayRestart) {
    say(why);
    return stack;
  }
  if (!(await mayRestart(why))) return stack;
  stack.stop();
  await endStack(record);
  return useLocalStack(config.dataDir, say);
}
