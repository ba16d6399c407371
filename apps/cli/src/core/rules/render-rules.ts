import { formatAge } from '../sessions/render-sessions.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line, type StyleName } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';

/** One rule, as the list shows it. */
export interface RuleSummary {
  readonly id: string;
  /** Who goes by it: the servers, or the local policy of this machine, which asks whatever the servers say. */
  readonly keeper: 'servers' | 'this machine' | 'servers and this machine';
  /** What this machine calls it, where the servers keep the same rule under `id`. */
  readonly localId?: string;
  readonly scope: 'session' | 'project' | 'user';
  readonly rule: LooseRule;
  /** The session or the workspace that it is bound to. */
  readonly place: string;
  readonly createdAtMs: number;
}

const SCOPES = ['session', 'project', 'user'] as const;

/** Reads what REST says of a rule; what it doesn't say is empty. */
export function readRuleSummary(value: unknown): RuleSummary {
  const fields = toFields(value);
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const created = fields['created_at_ms'];
  return {
    id: text('rule_id'),
    keeper: 'servers',
    scope: SCOPES.find((scope) => scope === fields['scope']) ?? 'user',
    rule: toFields(fields['rule']),
    place: text('session_id') || text('workspace_id'),
    createdAtMs: typeof created === 'number' ? created : 0,
  };
}

const toFields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** A rule as it travels: its fields are looked at here, not trusted. */
export type LooseRule = Readonly<Record<string, unknown>>;

/**
 * What a rule is about, out of the rule itself: `run_command · the command “npm test” and no more · while package.json is unchanged`. A
 * sentence that came with it may say something else; a field that isn't known is shown as it is.
 */
export function describeRule(rule: LooseRule): string {
  const { effect, tool, path, command, exact, files, proxy, expires_at_ms: expires, ...others } = rule;
  const bound = Array.isArray(files) ? files.map((file: { readonly path?: unknown }) => String(file.path)) : [];
  const facts = [
    tool === '*' ? 'every tool' : textOf(tool),
    path === undefined ? '' : `paths ${textOf(path)}`,
    command === undefined
      ? ''
      : exact === true
        ? `the command “${wordsOf(command)}” and no more`
        : `commands that begin with “${wordsOf(command)}”`,
    bound.length === 0 ? '' : `while ${bound.join(', ')} ${bound.length === 1 ? 'is' : 'are'} unchanged`,
    proxy === true ? 'also for programs that come through the proxy' : '',
    typeof expires === 'number' ? `until ${new Date(expires).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '',
    ...Object.entries(others).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ];
  return facts.filter((fact) => fact !== '').join(' · ');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));
const wordsOf = (command: unknown): string =>
  Array.isArray(command) ? command.map((word) => quote(String(word))).join(' ') : textOf(command);

/** Words that a shell would take apart are quoted, so that two rules never read alike. */
const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const EFFECTS: Readonly<Record<string, StyleName>> = { allow: 'good', ask: 'accent', deny: 'bad' };
const INDENT: Line = [span('       ')];

/**
 * Draws the rules, in the order given: what each does, in its own words and not in those that came with it, then its id, how far it reaches
 * and who goes by it.
 */
export function renderRules(rules: readonly RuleSummary[], nowMs: number, width: number): readonly Line[] {
  if (rules.length === 0) return [[span('There are no rules yet. An approval can be remembered with '), span('m', 'key'), span('.')]];
  return rules.flatMap(({ id, keeper, scope, place, rule, createdAtMs }) => {
    const effect = typeof rule['effect'] === 'string' ? rule['effect'] : 'ask';
    const reach = [scope, sanitiseLine(place, 64)].filter((part) => part !== '').join(' ');
    const age = createdAtMs === 0 ? '' : formatAge(createdAtMs, nowMs);
    const facts = [sanitiseLine(id, 64), keeper, reach, age].filter((part) => part !== '');
    return [
      ...wrapSpans([span(sanitiseLine(describeRule(rule), 600))], {
        width,
        first: [span(sanitiseLine(effect, 6).padEnd(7), EFFECTS[effect] ?? 'warn')],
        rest: INDENT,
      }),
      ...wrapSpans([span(facts.join(' · '), 'muted')], { width, first: INDENT, rest: INDENT }),
    ];
  });
}
