import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rule } from '@codelab/protocol';
import { bindRule, canonicalJson, parseRule, type JsonObject } from '@codelab/tools';
import type { RememberedDecision, CallPlace } from './local-policy.js';
import { parseOwnFile } from './parse-own-file.js';

/** A rule that the human made at this client. */
export interface LocalRule {
  readonly ruleId: string;
  readonly scope: 'session' | 'project' | 'user';
  /** The session or the workspace that it holds in; absent for `user`. */
  readonly place?: string;
  readonly madeAtMs: number;
  readonly rule: Rule;
}

/** Rules of a session that nobody goes back to are forgotten. */
const SESSION_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1000;

const folderOf = (dataDir: string): string => join(dataDir, 'rules');

/** The same rule has the same name, whatever its files hold: made again for another content, it takes the place of the old one. */
export function localRuleId({ scope, place, rule }: Pick<LocalRule, 'scope' | 'place' | 'rule'>): string {
  const files = rule.files?.map(({ path }) => path);
  const named = { scope, place: place ?? '', rule: { ...rule, files } };
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(named)) as JsonObject))
    .digest('hex')
    .slice(0, 16);
}

const placeOf = (scope: LocalRule['scope'], { sessionId, workspaceId }: CallPlace): string | undefined =>
  scope === 'session' ? sessionId : scope === 'project' ? workspaceId : undefined;

/** Whether a rule holds where a call comes from. */
export const holdsAt = ({ scope, place }: LocalRule, at: CallPlace): boolean => scope === 'user' || place === placeOf(scope, at);

const parse = (text: string, file: string, ruleId: string): LocalRule => {
  const { fields, refuse } = parseOwnFile(text, file);
  const { scope, place, made_at_ms: madeAtMs, rule, ...unknown } = fields;
  const [name] = Object.keys(unknown);
  if (name !== undefined) refuse(`${name} is no field; there are scope, place, made_at_ms and rule`);
  if (scope !== 'session' && scope !== 'project' && scope !== 'user') return refuse('scope is "session", "project" or "user"');
  if (scope === 'user' ? place !== undefined : typeof place !== 'string' || place === '') refuse('place goes with session and project');
  if (typeof madeAtMs !== 'number') return refuse('made_at_ms is a number');
  const parsed = parseRule(rule, 'allow');
  if (!parsed.ok) return refuse(parsed.message);
  return { ruleId, scope, place: typeof place === 'string' ? place : undefined, madeAtMs, rule: parsed.rule };
};

/**
 * The rules that the human made at this client, oldest first: one file each, in `rules/` of the data directory, which is outside of any
 * workspace.
 *
 * @throws Error with a sentence for the user, if one of them says something else: a rule is never guessed
 */
export async function listLocalRules(dataDir: string): Promise<readonly LocalRule[]> {
  const folder = folderOf(dataDir);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new Error(`${folder} can't be read: ${error.message}`, { cause: error });
    return [];
  });
  const rules: LocalRule[] = [];
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const file = join(folder, name);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw new Error(`${file} can't be read: ${error.message}`, { cause: error });
      return undefined; // removed meanwhile
    });
    if (text !== undefined) rules.push(parse(text, file, name.slice(0, -'.json'.length)));
  }
  return rules.sort((one, other) => one.madeAtMs - other.madeAtMs || (one.ruleId < other.ruleId ? -1 : 1));
}

const write = async (folder: string, { ruleId, madeAtMs, ...rule }: LocalRule): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${ruleId}.${randomUUID()}.tmp`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ ...rule, made_at_ms: madeAtMs }, null, 2)}\n`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(draft, join(folder, `${ruleId}.json`));
};

/**
 * Keeps a rule of a decision that was made at this client, bound to the files as they were then.
 *
 * @throws Error with a sentence for the user
 */
export async function addLocalRule(dataDir: string, memory: RememberedDecision, nowMs: number): Promise<LocalRule> {
  const { remember, decided, operands, place: at } = memory;
  const parsed = parseRule(remember.rule, decided);
  if (!parsed.ok) throw new Error(`The rule is not kept at this client: ${parsed.message}.`);
  const bound = bindRule(parsed.rule, operands);
  if (typeof bound === 'string') throw new Error(`The rule is not kept at this client: ${bound}.`);
  const { scope } = remember;
  const place = placeOf(scope, at);
  if (scope !== 'user' && place === undefined) throw new Error('The rule is not kept at this client: its workspace has no id.');
  const named = { scope, place, rule: bound };
  const rule = { ruleId: localRuleId(named), madeAtMs: nowMs, ...named };
  await write(folderOf(dataDir), rule);
  for (const old of await listLocalRules(dataDir)) {
    if (old.scope === 'session' && old.madeAtMs < nowMs - SESSION_DAYS * DAY_MS) await removeLocalRule(dataDir, old.ruleId);
  }
  return rule;
}

/** Revokes a rule, from the next call on, in every process. Returns whether there was one. */
export async function removeLocalRule(dataDir: string, ruleId: string): Promise<boolean> {
  if (!/^[\w-]+$/.test(ruleId)) return false;
  try {
    await rm(join(folderOf(dataDir), `${ruleId}.json`));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
