import { describeCall, maskSecrets } from '@codelab/tools';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { ApprovalQuestion, Decision, UserAnswer, UserQuestion } from './decision.js';
import { cutText, visibleText } from './visible-text.js';

/** Characters of a preview that a form shows. */
const MAX_PREVIEW = 6_000;
const MAX_LINE = 500;

const APPROVE = 'approve';
const APPROVE_SESSION = 'approve_for_session';
const REJECT = 'reject';

/** The form of MCP that asks about a call: what it is, what it would do, and what can be decided. */
export function approvalForm(question: ApprovalQuestion, canRemember: boolean): ElicitRequestFormParams {
  const { title, toolName, argsText, reason, risk, preview, client, argsSha256 } = question;
  const rule = canRemember ? question.proposals[0] : undefined;
  const shown = maskSecrets(preview === undefined || preview.text.trim() === '' ? argsText : preview.text, new Set(), []).text;
  const says = maskSecrets(describeCall(toolName, argsText), new Set(), []).text;
  const message = [
    `Approval needed: ${title} (${toolName}) ${cutText(visibleText(says).replaceAll('\n', ' '), MAX_LINE)}`.trimEnd(),
    `${risk} risk: ${cutText(visibleText(reason), MAX_LINE)}. Wanted by ${cutText(visibleText(client).replaceAll('\n', ' '), 80)}. ${argsSha256.slice(0, 8)}`,
    '',
    cutText(visibleText(shown).trimEnd(), MAX_PREVIEW),
  ].join('\n');
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          description: rule === undefined ? 'Whether it may run.' : `"For this session" means: ${visibleText(rule.allows)}`,
          oneOf: [
            { const: APPROVE, title: 'Approve' },
            ...(rule === undefined ? [] : [{ const: APPROVE_SESSION, title: 'Approve for this session' }]),
            { const: REJECT, title: 'Reject' },
          ],
          default: REJECT,
        },
        feedback: { type: 'string', title: 'Feedback', description: 'With a rejection: what to do instead. The model reads it.' },
      },
      required: ['decision'],
    },
  };
}

/** What a client says came of a form. Untrusted: any shape. */
export interface FormResult {
  readonly action: string;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** Reads the decision: only `accept` with a choice that approves does so; anything else doesn't (H1, H3). */
export function readDecision({ action, content }: FormResult, question: ApprovalQuestion, canRemember: boolean): Decision {
  if (action === 'cancel') return { kind: 'dismissed' };
  const { decision, feedback: said } = content ?? {};
  const feedback = typeof said === 'string' && said.trim() !== '' ? said : undefined;
  if (action !== 'accept') return { kind: 'rejected', feedback };
  if (decision === APPROVE) return { kind: 'approved' };
  const rule = canRemember ? question.proposals[0]?.rule : undefined;
  if (decision === APPROVE_SESSION && rule !== undefined)
    return { kind: 'approved', remember: { scope: 'session', rule: rule as unknown as Readonly<Record<string, unknown>> } }; // a rule of the wire
  return { kind: 'rejected', feedback };
}

/** The form that puts a question of the model's. It says who asks, and looks like no approval. */
export const questionForm = ({ message, actions }: UserQuestion): ElicitRequestFormParams => ({
  message: `The model asks: ${cutText(visibleText(message), MAX_PREVIEW)}`,
  requestedSchema: {
    type: 'object',
    properties: { answer: { type: 'string', title: 'Answer', enum: [...actions] } },
    required: ['answer'],
  },
});

/** Reads the answer. */
export function readAnswer({ action, content }: FormResult, { actions }: UserQuestion): UserAnswer {
  if (action === 'cancel') return { kind: 'dismissed' };
  const answer = content?.['answer'];
  return action === 'accept' && typeof answer === 'string' && actions.includes(answer)
    ? { kind: 'answered', action: answer }
    : { kind: 'declined' };
}
