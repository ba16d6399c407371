import type { WriteStream } from 'node:tty';
import { buildRule } from '../../core/rules/build-rule.js';
import type { RuleWords } from '../../core/rules/build-rule.js';
import { describeRule } from '../../core/rules/describe-rule.js';
import { renderRules } from '../../core/rules/render-rules.js';
import { readRuleSummary } from '../../core/rules/rule-summary.js';
import { CommandError } from '../../core/command-error.js';
import { span } from '../../core/text/span.js';
import { readCliConfig } from '../config.js';
import { printLines } from '../print-lines.js';
import { RestApi } from '../rest/rest-api.js';
import type { GatewayOptions } from '../session/choose-gateway.js';
import { findGateway } from '../session/choose-gateway.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { bindFiles } from './bind-files.js';

const RULES = '/api/v1/rules';

export interface ListOptions extends GatewayOptions {
  readonly session?: string;
  readonly json?: boolean;
}

export interface AddOptions extends GatewayOptions, Omit<RuleWords, 'effect' | 'tool'> {
  readonly scope: 'session' | 'project' | 'user';
  readonly allow?: string;
  readonly ask?: string;
  readonly deny?: string;
  readonly session?: string;
  readonly workspace: string;
}

/** Prints the rules that this person has made. */
export async function listRules({ session, json, ...options }: ListOptions, out: WriteStream): Promise<void> {
  const query: Record<string, string> = session === undefined ? {} : { session_id: session };
  const rules = (await (await connect(options)).pages(RULES, 'rules', query)).flat();
  if (json) out.write(`${JSON.stringify({ rules }, null, 2)}\n`);
  else printLines(renderRules(rules.map(readRuleSummary), Date.now()), out);
}

/** Revokes a rule: no call is judged by it any more. */
export async function removeRule(id: string, options: GatewayOptions, out: WriteStream): Promise<void> {
  const { removed } = (await (await connect(options)).request('DELETE', `${RULES}?rule_id=${encodeURIComponent(id)}`)) as {
    removed: number;
  };
  if (removed === 0) throw new CommandError(`There is no rule ${id}: \`codelab rules\` lists them.`);
  printLines([[span(`Removed ${id}.`)]], out);
}

/** Makes a rule. One that allows a command which runs code of the workspace is bound to that code as it is now. */
export async function addRule(options: AddOptions, out: WriteStream): Promise<void> {
  const { scope, session, workspace, allow, ask, deny, ...words } = options;
  const [given, ...more] = (['allow', 'ask', 'deny'] as const).filter((effect) => options[effect] !== undefined);
  if (given === undefined || more.length > 0) throw new CommandError('Give one of --allow TOOL, --ask TOOL and --deny TOOL.', 2);
  if ((scope === 'session') !== (session !== undefined))
    throw new CommandError('--session names the conversation of a rule with --scope session, and goes with that only.', 2);
  const rule = buildRule({ ...words, effect: given, tool: allow ?? ask ?? deny! }, Date.now());
  const { identity } = await chooseWorkspace(workspace, readCliConfig().dataDir);
  const bound = given === 'allow' ? await bindFiles(rule, words.command, identity.root) : rule;
  const holder = { ...(scope === 'session' ? { session_id: session } : {}), ...(scope === 'project' ? { workspace_id: identity.id } : {}) };
  const kept = (await (await connect(options)).request('POST', RULES, { scope, rule: bound, ...holder })) as { rule_id: string };
  printLines([[span(`Added ${kept.rule_id}: `), span(`${given} `, 'accent'), span(describeRule(bound))]], out);
}

const connect = async (options: GatewayOptions): Promise<RestApi> =>
  new RestApi(await findGateway(options), 'There is no such conversation: `codelab sessions` lists them.');
