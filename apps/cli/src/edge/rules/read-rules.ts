import { listLocalRules, localRuleId } from '@codelab/client';
import { parseRule } from '@codelab/tools';
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

/** Both as they are listed: a rule that the servers and this machine go by is one rule. */
export function allRules(servers: readonly unknown[], local: readonly RuleSummary[]): readonly RuleSummary[] {
  const own = new Set(local.map(({ id }) => id));
  const listed = servers.map(readRuleSummary).map((summary): RuleSummary => {
    const localId = localIdOf(summary);
    return localId !== undefined && own.has(localId) ? { ...summary, keeper: 'servers and this machine', localId } : summary;
  });
  const shared = new Set(listed.map(({ localId }) => localId));
  return [...listed, ...local.filter(({ id }) => !shared.has(id))];
}

/** What this machine would call a rule of the servers; undefined for one that it could not keep. */
function localIdOf({ scope, place, rule }: RuleSummary): string | undefined {
  const parsed = parseRule(rule, rule['effect'] === 'deny' ? 'deny' : 'allow');
  return parsed.ok ? localRuleId({ scope, place: place || undefined, rule: parsed.rule }) : undefined;
}
