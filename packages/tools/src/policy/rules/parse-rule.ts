import type { Rule } from '@codelab/protocol';
import { CANONICAL_TOOLS, findTool } from '../../tools/tools.js';
import { isJsonObject } from '../../arguments/json.js';
import { foldName } from '../fold-name.js';
import { WEB_FETCH } from '../call-host.js';
import { RULE_FIELDS } from './rule-fields.js';
import { findPatternFault } from './tool-pattern.js';

type ParsedRule = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly message: string };

/** How an allow-rule for every tool is made narrower; what those of one tool need is in its definition. */
const EVERY_TOOL = 'add "path" with the files that it is about, or name one tool';

/** The canonical tool that a name only looks like. */
const findImitated = (tool: string): string | undefined => {
  const folded = foldName(tool).replace(/[^a-z]/g, '');
  return findTool(tool) !== undefined ? undefined : CANONICAL_TOOLS.find((name) => name.replace(/[^a-z]/g, '') === folded);
};

const findFieldFault = (value: Readonly<Record<string, unknown>>): string | undefined => {
  for (const [field, given] of Object.entries(value)) {
    if (given === undefined) continue;
    const check = Object.hasOwn(RULE_FIELDS, field) ? RULE_FIELDS[field] : undefined;
    if (check === undefined) return `"${field}" is no field of a rule`;
    const fault = check(given as never);
    if (fault !== undefined) return `"${field}" ${fault}`;
  }
  return value['tool'] === undefined ? '"tool" is missing' : undefined;
};

const findSenseFault = ({ effect, tool, path, host, command, exact, files }: Rule): string | undefined => {
  const pattern = findPatternFault(tool, effect);
  if (pattern !== undefined) return pattern;
  const imitated = findImitated(tool);
  if (imitated !== undefined) return `"${tool}" looks like ${imitated}, but is not`;
  const definition = findTool(tool);
  if (command !== undefined && !definition?.runsCommand) return '"command" goes with run_command and run_persistent only';
  const policy = typeof definition?.policy === 'object' ? definition.policy : undefined;
  if (effect === 'allow' && policy?.alwaysAsks) return `every call of ${tool} asks, so no rule allows one`;
  if (path !== undefined && tool !== '*' && typeof definition?.paths !== 'object')
    return `"path" says nothing of ${tool}: its paths are not known`;
  if (host !== undefined && tool !== WEB_FETCH) return `"host" goes with ${WEB_FETCH} only`;
  if (command === undefined && (exact !== undefined || files !== undefined)) return '"exact" and "files" go with "command"';
  if (files !== undefined && effect !== 'allow') return '"files" go with a rule that allows';
  const narrower = tool === '*' ? EVERY_TOOL : definition?.tooWide;
  if (effect === 'allow' && path === undefined && command === undefined && narrower !== undefined)
    return `the rule is too wide: it would allow every call of ${tool === '*' ? 'every tool' : tool}; ${narrower}`;
  return undefined;
};

/**
 * Reads a rule that a human made, to the letter: what it says more than this release knows would be lost, and the rule allow more than was
 * said (H1). Without an effect it does what was decided; a rejection makes no rule that allows. `files` may lack their `sha256`: see `bindRule`.
 */
export function parseRule(value: unknown, decided: 'allow' | 'deny'): ParsedRule {
  if (!isJsonObject(value)) return { ok: false, message: 'a rule must be an object' };
  const fieldFault = findFieldFault(value);
  if (fieldFault !== undefined) return { ok: false, message: fieldFault };
  const rule: Rule = { effect: decided, ...(value as unknown as Rule) };
  if (decided === 'deny' && rule.effect === 'allow') return { ok: false, message: 'a rejection makes no rule that allows' };
  const senseFault = findSenseFault(rule);
  return senseFault === undefined ? { ok: true, rule } : { ok: false, message: senseFault };
}
