import type { WriteStream } from 'node:tty';
import { openLocalPolicy, removeLocalRule } from '@codelab/client';
import type { Operand } from '@codelab/protocol';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeCommand } from '@codelab/tools';
import { buildRule, type RuleWords } from '../../core/rules/build-rule.js';
import { describeRule, renderRules, type LooseRule, type RuleSummary } from '../../core/rules/render-rules.js';
import { CommandError } from '../../core/command-error.js';
import { span } from '../../core/text/span.js';
import { readCliConfig } from '../config.js';
import { printLines } from '../print-lines.js';
import { RestApi } from '../rest/rest-api.js';
import { findGateway, type GatewayOptions } from '../session/choose-gateway.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { allRules, readLocalRules, readRules } from './read-rules.js';
/**
 * Binds a rule to the files of the workspace whose code its command runs (`package.json` of `npm test`), with their content as it is now:
 * changed since, the rule allows nothing. Throws `CommandError` if there is no such file.
 */
async function bindFiles(rule: LooseRule, command: string | undefined, root: string): Promise<LooseRule> {
  const paths = command === undefined ? [] : [...new Set(judgeCommand(command).commands.flatMap(({ runs }) => runs))];
  if (paths.length === 0) return rule;
  const files = await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(join(root, path)).catch((cause: unknown) => {
        throw new CommandError(`The command runs code of ${path}, which can't be read in ${root}: name its folder with --workspace.`, 2, {
          cause,
        });
      });
      return { path, sha256: createHash('sha256').update(content).digest('hex') };
    }),
  );
  return { ...rule, files };
}

/** Where there is no terminal, rows are broken only where they would be unreadable. */
const PLAIN_COLUMNS = 160;
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

/** Prints the rules that this person has made: those of the servers, and those of this machine. */
export async function listRules({ session, json, ...options }: ListOptions, out: WriteStream, err: NodeJS.WritableStream): Promise<void> {
  const local = await readLocalRules(readCliConfig().dataDir, session);
  const servers = await findGateway(options)
    .then((gateway) => readRules(gateway, session))
    .catch((error: unknown) => {
      if (!(error instanceof CommandError) || local.length === 0) throw error;
      err.write(`Only the rules of this machine are shown. ${error.message}\n`);
      return [];
    });
  if (json) out.write(`${JSON.stringify({ rules: servers, local_rules: local.map(toJson) }, null, 2)}\n`);
  else printLines(renderRules(allRules(servers, local), Date.now(), (out.columns ?? PLAIN_COLUMNS) - 1), out);
}

const toJson = ({ id, scope, place, rule, createdAtMs }: RuleSummary): object => ({
  rule_id: id,
  scope,
  place: place || undefined,
  rule,
  created_at_ms: createdAtMs,
});

/**
 * Revokes a rule, at the servers and on this machine, by the name that either has for it: no call is judged by it any more. Of a rule of
 * this machine the servers' part stays where no gateway answers, which is said.
 */
export async function removeRule(id: string, options: GatewayOptions, out: WriteStream): Promise<void> {
  const { dataDir } = readCliConfig();
  const local = await readLocalRules(dataDir).catch(() => []); // another one may be damaged; this one goes all the same
  const servers = await findGateway(options)
    .then((gateway) => readRules(gateway))
    .catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      return error;
    });
  const isAway = servers instanceof CommandError;
  const rule = isAway ? undefined : allRules(servers, local).find((one) => one.id === id || one.localId === id);
  const isOwn = await removeLocalRule(dataDir, rule?.localId ?? id);
  if (isAway && !isOwn) throw servers;
  if (!isAway && rule?.keeper !== 'this machine') await removeAtServers(rule?.id ?? id, isOwn, options);
  const where = isAway ? ` on this machine; what the servers keep of it stays. ${servers.message}` : '.';
  printLines([[span(`Removed ${id}${where}`)]], out);
}

async function removeAtServers(id: string, isOwn: boolean, options: GatewayOptions): Promise<void> {
  const { removed } = (await (await connect(options)).request('DELETE', `${RULES}?rule_id=${encodeURIComponent(id)}`)) as {
    removed: number;
  };
  if (removed === 0 && !isOwn) throw new CommandError(`There is no rule ${id}: \`codelab rules\` lists them.`);
}

/**
 * Makes a rule, for the servers and for the local policy of this machine. One that allows a command which runs code of the workspace is bound to
 * that code as it is now.
 */
export async function addRule(options: AddOptions, out: WriteStream): Promise<void> {
  const { scope, session, workspace, allow, ask, deny, ...words } = options;
  const [given, ...more] = (['allow', 'ask', 'deny'] as const).filter((effect) => options[effect] !== undefined);
  if (given === undefined || more.length > 0) throw new CommandError('Give one of --allow TOOL, --ask TOOL and --deny TOOL.', 2);
  if ((scope === 'session') !== (session !== undefined))
    throw new CommandError('--session names the conversation of a rule with --scope session, and goes with that only.', 2);
  const rule = buildRule({ ...words, effect: given, tool: allow ?? ask ?? deny! }, Date.now());
  const { dataDir } = readCliConfig();
  const { identity } = await chooseWorkspace(workspace, dataDir);
  const bound = given === 'allow' ? await bindFiles(rule, words.command, identity.root) : rule;
  const holder = { session_id: session, workspace_id: scope === 'project' ? identity.id : undefined };
  const kept = (await (await connect(options)).request('POST', RULES, { scope, rule: bound, ...holder })) as { rule_id: string };
  const place = { sessionId: session ?? '', workspaceId: identity.id };
  const decided = given === 'deny' ? 'deny' : 'allow';
  const operands = (bound['files'] ?? []) as readonly Operand[]; // bound above
  const localPolicy = openLocalPolicy({ dataDir });
  await localPolicy.remember?.({ place, decided, remember: { scope, rule: bound }, operands }).catch((cause: Error) => {
    throw new CommandError(`The servers keep the rule ${kept.rule_id}, this machine does not: ${cause.message}`, 1, { cause });
  });
  printLines([[span(`Added ${kept.rule_id}: `), span(`${given} `, 'accent'), span(describeRule(bound))]], out);
}

const connect = async (options: GatewayOptions): Promise<RestApi> => new RestApi(await findGateway(options));
