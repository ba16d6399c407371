import { Controller, Delete, Get, Header, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { RuleHolder, RuleScope, StoredRule } from '@codelab/bus';
import { refuse, Rule, schemaOf } from '@codelab/protocol';
import { describeRule, parseRule } from '@codelab/tools';
import { signatureOf } from '@codelab/auth';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { faultOfRule, FULL, toNewRule } from '../../core/rules/check-rule.js';
import { DescribeRoute } from '../openapi/describe-route.js';
import { OF_SESSION, PAGE_QUERY, pageOf, RULE_SCHEMA } from '../openapi/schemas.js';
import { GATEWAY_PORTS } from '../tokens.js';
import { ChoiceField, ObjectField, TextField } from './body-field.js';
import { readPage } from './page.js';
import { readBody } from './read-body.js';
import { RefusedRequest } from './refused-request.js';
import { demandScope, notThere, toCaller } from './rest-caller.js';
import type { RestRequest } from './admit-request.js';

const SCOPES = ['session', 'project', 'user'] as const satisfies readonly RuleScope[];
const RULE_ID = { type: 'string', description: 'The rule.' } as const;
const REMOVED = {
  status: 200,
  description: 'How many rules are gone: 0 if this person has none of this id.',
  schema: { type: 'object', required: ['removed'], properties: { removed: { type: 'integer' } } },
} as const;

class NewRuleBody {
  @ChoiceField('How far the rule reaches.', SCOPES, { optional: false }) scope!: RuleScope;
  @ObjectField('The rule, with its `effect` and the digests of its files. Unknown fields are refused.', schemaOf(Rule)) rule!: object;
  @TextField('The session of a session rule.', { min: 1, max: 64, optional: true }) session_id?: string;
  @TextField('The workspace of a project rule, by `workspace.id`.', { min: 1, max: 128, optional: true }) workspace_id?: string;
}

interface RulesQuery {
  readonly scope?: string;
  readonly session_id?: string;
  readonly cursor?: string;
  readonly limit?: string;
}

const invalid = (why: string): RefusedRequest => new RefusedRequest(refuse('INVALID_FIELD', why));

/** The rules that a person has made: by remembering decisions, and here. */
@Controller('api/v1/rules')
export class RulesController {
  constructor(@Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts) {}

  @Get()
  @Header('cache-control', 'no-store')
  @DescribeRoute({
    summary: 'The rules of this person, newest first; of session rules those of the 100 sessions that were used last, or of the one named.',
    query: { scope: { type: 'string', enum: [...SCOPES] }, session_id: OF_SESSION, ...PAGE_QUERY },
    response: { status: 200, description: 'Rules that have not expired.', schema: pageOf('rules', RULE_SCHEMA) },
    errors: ['INVALID_FIELD', 'SESSION_NOT_FOUND'],
  })
  async list(@Req() request: RestRequest, @Query() query: RulesQuery) {
    const { cursor: offset = 0, limit } = readPage(query);
    const scope = SCOPES.find((one) => one === query.scope);
    if (query.scope !== undefined && scope === undefined) throw invalid(`scope: one of ${SCOPES.join(', ')}`);
    const session = query.session_id === undefined ? undefined : toCaller(request, query.session_id).session;
    if (session !== undefined && (await this.ports.store.readMeta(session)) === undefined) throw notThere();
    const filter = { scope, session };
    const rules = await this.ports.rules.list(request.identity.owner, filter);
    const next = offset + limit < rules.length ? { next_cursor: String(offset + limit) } : {};
    return { rules: rules.slice(offset, offset + limit).map(presentRule), ...next };
  }

  @Post()
  @DescribeRoute({
    summary: 'Makes a rule; the same rule again is answered with 200. Needs the scope approve.',
    body: NewRuleBody,
    response: { status: 201, description: 'The rule.', schema: RULE_SCHEMA },
    errors: ['INVALID_FORMAT', 'MISSING_FIELD', 'INVALID_FIELD', 'SESSION_NOT_FOUND'],
  })
  async make(@Req() request: RestRequest, @Res({ passthrough: true }) response: Response) {
    demandScope(request, 'approve');
    const body = readBody(NewRuleBody, request.bodyText);
    const holder = toHolder(request, body);
    const rule = readRule(body.rule);
    const { rules } = this.ports;
    const kept = await rules.keep(holder, toNewRule(rule, signatureOf(request.identity)));
    if (kept.kind === 'refused') throw kept.code === 'FULL' ? invalid(`rule: ${FULL}`) : notThere();
    response.status(kept.kind === 'kept' ? 201 : 200);
    const session = holder.scope === 'session' ? { session: holder.session } : {};
    const stored = await rules.list(request.identity.owner, { scope: holder.scope, ...session });
    const found = stored.find(({ ruleId }) => ruleId === kept.ruleId);
    return found === undefined ? { rule_id: kept.ruleId } : presentRule(found);
  }

  @Delete()
  @DescribeRoute({
    summary: 'Revokes a rule: no call is judged by it any more. Needs the scope approve.',
    query: { rule_id: RULE_ID },
    response: REMOVED,
    errors: ['MISSING_FIELD'],
  })
  async revoke(@Req() request: RestRequest, @Query('rule_id') ruleId: string | undefined) {
    if (ruleId === undefined) throw new RefusedRequest(refuse('MISSING_FIELD', 'rule_id is required'));
    return this.remove(request, ruleId);
  }

  @Delete(':rule_id')
  @DescribeRoute({ summary: 'Revokes a rule, as above.', response: REMOVED })
  async revokeNamed(@Req() request: RestRequest, @Param('rule_id') ruleId: string) {
    return this.remove(request, ruleId);
  }

  private async remove(request: RestRequest, ruleId: string) {
    demandScope(request, 'approve');
    const { identity } = request;
    return { removed: await this.ports.rules.revoke(identity.owner, String(ruleId), signatureOf(identity)) };
  }
}

/** What the rule is bound to. Throws `RefusedRequest`. */
function toHolder(request: RestRequest, { scope, session_id: sessionId, workspace_id: workspaceId }: NewRuleBody): RuleHolder {
  if ((scope === 'session') !== (sessionId !== undefined)) throw invalid('session_id goes with the scope session, and only with that');
  if ((scope === 'project') !== (workspaceId !== undefined)) throw invalid('workspace_id goes with the scope project, and only with that');
  const { owner } = request.identity;
  if (sessionId !== undefined) return { scope: 'session', session: toCaller(request, sessionId).session };
  return workspaceId === undefined ? { scope: 'user', owner } : { scope: 'project', owner, workspaceId };
}

/** A rule that says everything itself: here is no decision to take the rest from. Throws `RefusedRequest`. */
function readRule(value: object): Rule {
  if (!('effect' in value)) throw new RefusedRequest(refuse('MISSING_FIELD', 'rule.effect is required: allow, ask or deny'));
  const parsed = parseRule(value, 'allow');
  if (!parsed.ok) throw invalid(`rule: ${parsed.message}`);
  const fault = faultOfRule(parsed.rule, Date.now());
  if (fault !== undefined) throw invalid(`rule: ${fault}`);
  return parsed.rule;
}

/** A rule as REST shows it. */
function presentRule({ ruleId, scope, rule, sessionId, workspaceId, createdAtMs, by, expiresAtMs }: StoredRule) {
  const parsed = JSON.parse(rule) as Rule; // kept by this service, which had checked it
  return {
    rule_id: ruleId,
    scope,
    rule: parsed,
    description: describeRule(parsed),
    session_id: sessionId,
    workspace_id: workspaceId,
    created_at_ms: createdAtMs,
    by,
    expires_at_ms: expiresAtMs === 0 ? undefined : expiresAtMs,
  };
}
