import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';
import type { ApprovalAnswer, ApprovalRequest } from '@codelab/client';
import { PLAN_TOOL } from '@codelab/tools';
import { refusalRule, sanitiseLine } from '@codelab/tools/human';

/** One of the answers that an editor offers, and what it means. */
export interface Choice {
  readonly option: PermissionOption;
  readonly answer: ApprovalAnswer;
  /** The plan is carried out with files edited unasked. */
  readonly frees?: true;
}

/** Rules that are offered, narrowest first, for this conversation; the first of them for the folder, too. */
const MAX_RULES = 2;
const MAX_NAME = 300;

const APPROVE: ApprovalAnswer = { decision: 'approve' };
const REJECT: ApprovalAnswer = { decision: 'reject' };

/**
 * The answers to a question: once, always by a rule that says what it allows, and the same for no. A call has rules only where the servers propose
 * some, so what asks always can't be allowed for ever.
 */
export function choicesOf(request: ApprovalRequest): readonly Choice[] {
  const { toolName, argsText, approval } = request;
  if (toolName === PLAN_TOOL.name) return PLAN_CHOICES;
  const rules = (approval?.proposals ?? []).slice(0, MAX_RULES);
  const [narrowest] = rules;
  const refusal = refusalRule({ toolName, args: argsText, approval });
  return [
    { option: { optionId: 'allow', kind: 'allow_once', name: 'Allow' }, answer: APPROVE },
    ...rules.map(({ allows, rule }, index) =>
      always(`allow-session-${index + 1}`, `Always in this conversation: ${allows}`, {
        ...APPROVE,
        remember: { scope: 'session', rule: { ...rule } },
      }),
    ),
    ...(narrowest === undefined
      ? []
      : [
          always('allow-project-1', `Always in this folder: ${narrowest.allows}`, {
            ...APPROVE,
            remember: { scope: 'project', rule: { ...narrowest.rule } },
          }),
        ]),
    { option: { optionId: 'reject', kind: 'reject_once', name: 'Reject' }, answer: REJECT },
    ...(refusal === undefined
      ? []
      : [
          always('reject-session', `Always in this conversation: ${refusal.allows}`, {
            ...REJECT,
            remember: { scope: 'session', rule: { ...refusal.rule } },
          }),
        ]),
  ];
}

const always = (optionId: string, name: string, answer: ApprovalAnswer): Choice => ({
  option: { optionId, kind: answer.decision === 'approve' ? 'allow_always' : 'reject_always', name: sanitiseLine(name, MAX_NAME) },
  answer,
});

const PLAN_CHOICES: readonly Choice[] = [
  { option: { optionId: 'allow', kind: 'allow_once', name: 'Carry it out' }, answer: APPROVE },
  { option: { optionId: 'allow-edits', kind: 'allow_always', name: 'Carry it out, and edit files unasked' }, answer: APPROVE, frees: true },
  { option: { optionId: 'reject', kind: 'reject_once', name: 'Keep planning' }, answer: REJECT },
];

/** What the human chose; undefined for a question that was dismissed, and for an answer that was never offered: neither decides (H3). */
export const chosenOf = (choices: readonly Choice[], outcome: RequestPermissionOutcome): Choice | undefined =>
  outcome.outcome === 'selected' ? choices.find(({ option }) => option.optionId === outcome.optionId) : undefined;
