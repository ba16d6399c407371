import { createHash } from 'node:crypto';
import type { Rule } from '@codelab/protocol';
import { describeRule } from '@codelab/tools';
import type { AuditOutcome } from '../../audit-log.js';
import type { Kept, NewRule, RuleHolder, RuleScope, RuleStore, StoredRule } from '../../rule-store.js';
import { sessionRef, type Owner, type SessionRef } from '../../session-ref.js';
import type { AuditRow } from '../../audit-log.js';
import { namedArguments } from '../session/named-arguments.js';
import { auditFields } from './audit-rows.js';
import { toFields } from '../connection/decode-fields.js';
import { decodeRules, type RuleText } from './decode-rules.js';
import type { Command } from '../connection/redis-commands.js';
import type { SessionScripts } from '../session/session-scripts.js';

/** Sessions of a person whose rules are listed, and among whose rules one is looked for: those used last. */
const MAX_LISTED_SESSIONS = 100;
const MAX_SEARCHED_SESSIONS = 1_000;

const KEPT = { 1: 'kept', 2: 'known' } as const;
const REFUSED = { [-1]: 'SESSION_NOT_FOUND', [-2]: 'FULL' } as const;

/** A digest that names something in a key's field, whatever characters are in it. */
const digest = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

const boundTo = (holder: RuleHolder): string =>
  holder.scope === 'session' ? holder.session.sessionId : holder.scope === 'project' ? holder.workspaceId : '';

/** The rules, in Redis. */
export function createRedisRuleStore(scripts: SessionScripts, auditTtlMs: number): RuleStore {
  const { commands, keys } = scripts;
  const ofPerson = (owner: Owner): string => keys.rulesOf(owner);
  const ofSession = ({ sid }: SessionRef): string => keys.session(sid).rules;
  const run = async (operation: string, command: Command): Promise<number> => Number((await commands.run(operation, [command]))[0]);

  const sessionsOf = async (owner: Owner, count: number): Promise<readonly SessionRef[]> => {
    const [names] = await commands.run('list-rules', [['zrevrange', keys.owned(owner), 0, count - 1]]);
    return (names as string[]).map((name) => sessionRef(owner, name));
  };
  const readHashes = (operation: string, ruleKeys: readonly string[]): Promise<unknown[]> =>
    commands.runEach(
      operation,
      ruleKeys.map((key) => ['hgetall', key]),
    );
  const decodeAll = (hashes: readonly unknown[]): readonly StoredRule[] => hashes.flatMap((hash) => decodeRules(hash, commands.score()));

  const keep = async (holder: RuleHolder, ruleId: string, rule: NewRule, outcome: AuditOutcome): Promise<number> => {
    const { by, expiresAtMs, decided } = rule;
    const text = toText(holder, rule, Math.floor(commands.score()));
    const made = { outcome, by, ruleId, target: describe(rule.rule) };
    if (holder.scope === 'session') {
      const row = toArguments({ ...made, ...(decided && { callId: decided.callId, toolName: decided.toolName }) });
      return run('keep-rule', scripts.command('keepSessionRule', holder.session.sid, [ruleId, text, expiresAtMs, ...row]));
    }
    const row = toArguments({ ...made, ...decided });
    const key = holder.scope === 'project' ? `project:${digest(holder.workspaceId)}` : 'user';
    const { owner } = holder;
    return run('keep-rule', ['keepRule', ofPerson(owner), keys.auditOf(owner), ruleId, text, key, expiresAtMs, auditTtlMs, ...row]);
  };

  return {
    keep: async (holder, rule): Promise<Kept> => {
      const ruleId = `rule_${digest(holder.scope, boundTo(holder), rule.rule)}`;
      const code = await keep(holder, ruleId, rule, 'rule_created');
      if (code < 0) return { kind: 'refused', code: REFUSED[code as keyof typeof REFUSED] };
      return { kind: KEPT[code as keyof typeof KEPT], ruleId };
    },
    revoke: async (owner, ruleId, by) => {
      const sessions = await sessionsOf(owner, MAX_SEARCHED_SESSIONS);
      const texts = await commands.runEach(
        'revoke-rule',
        [ofPerson(owner), ...sessions.map(ofSession)].map((key) => ['hget', key, `${ruleId}:r`]),
      );
      const text = texts.find((found) => typeof found === 'string');
      if (text === undefined) return 0;
      const row = toArguments({ outcome: 'rule_removed', by, ruleId, target: describe((JSON.parse(text) as RuleText).rule) });
      if (texts[0] === text) return run('revoke-rule', ['dropRule', ofPerson(owner), keys.auditOf(owner), ruleId, auditTtlMs, ...row]);
      const holders = sessions.filter((_, index) => typeof texts[index + 1] === 'string');
      let gone = 0;
      for (const { sid } of holders) gone += await run('revoke-rule', scripts.command('dropSessionRule', sid, [ruleId, ...row]));
      return gone;
    },
    readFor: async (ref) => decodeAll(await readHashes('read-rules', [ofSession(ref), ofPerson(ref.owner)])),
    snapshot: async (ref) => {
      const hashes = await readHashes('read-rules', [ofSession(ref), ofPerson(ref.owner)]);
      const rules = decodeAll(hashes);
      const canCompare = !commands.redis.isCluster && rules.every(({ expiresAtMs }) => expiresAtMs === 0);
      return { rules, version: canCompare ? hashes.map((hash) => toFields(hash)['version'] ?? '').join(' ') : undefined };
    },
    list: async (owner, { scope, session }) => {
      const wantsOwn = session === undefined && scope !== 'session';
      const wantsSessions = scope === undefined || scope === 'session';
      const sessions = session !== undefined ? [session] : await sessionsOf(owner, MAX_LISTED_SESSIONS);
      const ruleKeys = [...(wantsOwn ? [ofPerson(owner)] : []), ...(wantsSessions ? sessions.map(ofSession) : [])];
      const rules = decodeAll(await readHashes('list-rules', ruleKeys));
      const wanted = rules.filter((rule) => scope === undefined || rule.scope === scope);
      return wanted.sort((one, other) => other.createdAtMs - one.createdAtMs || (one.ruleId < other.ruleId ? -1 : 1));
    },
  };
}

const toArguments = (row: AuditRow): (string | number)[] => namedArguments(auditFields(row));

/** What a rule does, in a line: so that the trail can be read when the rule is gone. */
const describe = (rule: string): string => describeRule(JSON.parse(rule) as Rule);

/** The stored text of a rule: what it is bound to and who made it, around the rule as it was given. */
function toText(holder: RuleHolder, { rule, by }: NewRule, createdAtMs: number): string {
  const scope: RuleScope = holder.scope;
  const bound =
    holder.scope === 'session' ? { session_id: boundTo(holder) } : holder.scope === 'project' ? { workspace_id: boundTo(holder) } : {};
  return JSON.stringify({ scope, ...bound, rule, created_at_ms: createdAtMs, by });
}
