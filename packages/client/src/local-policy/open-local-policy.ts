import { join } from 'node:path';
import { toPolicyRule } from '@codelab/tools';
import { readPolicyFile } from './policy-file.js';
import { hasPosixShell, judgeLocally, type AsksForShell, type LocalPolicy } from './local-policy.js';
import { addLocalRule, holdsAt, listLocalRules } from './local-rules.js';

/** Where the user's own files are, and who hears what is wrong with them. */
export interface LocalPolicyOptions {
  /** The client's own data, outside of any workspace: `floor.json`, and the rules that were made here. */
  readonly dataDir: string;
  /** Hears why everything is asked, once for each reason. */
  readonly onProblem?: (message: string) => void;
  readonly now?: () => number;
  /** Whether the executor runs commands by a shell that reads them as they are judged; without: the one of this machine does, or does not. */
  readonly posixShell?: AsksForShell;
}

/**
 * The floor of this machine's user: their `floor.json`, and a memory of what they decided at this client. Both are read for each call, so a
 * rule that is revoked in another process is gone at once. Where a file of them can't be understood, everything is asked.
 */
export function openLocalPolicy({ dataDir, onProblem, now = Date.now, posixShell = hasPosixShell }: LocalPolicyOptions): LocalPolicy {
  const told = new Set<string>();
  return {
    async judge(toolName, args, place) {
      try {
        const [config, kept, posix] = await Promise.all([
          readPolicyFile(join(dataDir, 'floor.json')),
          listLocalRules(dataDir),
          posixShell(),
        ]);
        const rules = kept.filter((rule) => holdsAt(rule, place)).map(({ rule, ruleId, scope }) => toPolicyRule(rule, { ruleId, scope }));
        return judgeLocally(toolName, args, {
          config,
          rules,
          nowMs: now(),
          posixShell: posix,
          origin: place.origin,
        });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!told.has(reason)) onProblem?.(reason);
        told.add(reason);
        return { kind: 'ask', counts: 'here', reason, risk: 'high' };
      }
    },
    remember: async (memory) => void (await addLocalRule(dataDir, memory, now())),
  };
}
