import { listLocalRules } from '@codelab/client';
import { CommandError } from '../../core/command-error.js';
import { readRuleSummary, type RuleSummary } from '../../core/rules/render-rules.js';
import { RestApi } from '../rest/rest-api.js';
import type { Gateway } from '../session/gateway.js';
/** The rules of this person that the servers keep, as they tell them, the latest first. Throws `CommandError`. */
export async function readRules(gateway: Pick<Gateway, 'http' | 'token'>, session?: string): Promise<readonly unknown[]> {
  const rest = new RestApi(gateway);
  return (await rest.pages('/api/v1/rules', 'rules', { session_id: session })).flat();
}

/** The rules that the local policy of this machine goes by, the latest first. Throws `CommandError` with the file that is wrong. */
export async function readLocalRules(dataDir: string, session?: string): Promise<readonly RuleSummary[]> {
  const rules = await listLocalRules(dataDir).catch((error: Error) => {
    throw new CommandError(error.message, 1, { cause: error });
  });
  return rules
    .filter(({ scope, place }) => session === undefined || (scope === 'session' && place === session))
    .map(({ ruleId, scope, place = '', madeAtMs, rule }): RuleSummary => {
      return { id: ruleId, keeper: 'this machine', scope, place, rule: { ...rule }, createdAtMs: madeAtMs };
    })
    .toReversed();
}

/** Both as they are listed. */
export const allRules = (servers: readonly unknown[], local: readonly RuleSummary[]): readonly RuleSummary[] => [
  ...servers.map(readRuleSummary),
  ...local,
];
