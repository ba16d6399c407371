import type { RuleSummary } from '../../core/rules/rule-summary.js';
import { readRuleSummary } from '../../core/rules/rule-summary.js';
import { RestApi } from '../rest/rest-api.js';
import type { Gateway } from '../session/choose-gateway.js';

/** The rules of this person, those of the servers. Throws `CommandError`. */
export async function readRules(gateway: Pick<Gateway, 'http' | 'token'>): Promise<readonly RuleSummary[]> {
  const rest = new RestApi(gateway, 'The gateway keeps no rules.');
  return (await rest.pages('/api/v1/rules', 'rules')).flat().map(readRuleSummary);
}
