import type { LocalPolicy } from '@codelab/client';

/**
 * The local policy of a window whose folder may not be trusted: as long as it isn't, everything is asked about, whatever the servers and
 * earlier decisions say. It only ever asks more.
 */
export function waryPolicy(policy: LocalPolicy, isTrusted: () => boolean): LocalPolicy {
  return {
    async judge(toolName, args, place) {
      const verdict = await policy.judge(toolName, args, place);
      if (verdict.kind !== 'run' || isTrusted()) return verdict;
      return { kind: 'ask', counts: 'anybody', reason: 'this folder is not trusted', risk: 'medium' };
    },
    remember: policy.remember && ((memory) => policy.remember!(memory)),
  };
}
