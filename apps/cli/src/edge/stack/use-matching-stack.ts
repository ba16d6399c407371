import { describeMissing, missingSettings } from '../../core/stack/provider-settings.js';
import type { CliConfig } from '../config.js';
import { endStack } from './end-stack.js';
import { useLocalStack, type UsedStack } from './local-stack.js';
import { readProviderSettings } from './read-provider-settings.js';

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
