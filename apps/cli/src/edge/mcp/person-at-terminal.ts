import type { ApprovalRequest } from '@codelab/client';
import type { Person } from '@codelab/mcp-server';
import type { HumanAtTerminal } from '../session/ask-human.js';

/** Why arguments can't be edited: the other program made them, and reads a result for just these. */
const AS_THEY_ARE = {
  code: 'INVALID_ARGUMENTS',
  message: 'Another program made this call. Approve it as it is, or reject it and say what you want.',
} as const;

/** Whoever sits at this terminal, for the questions of MCP servers. What it says of each decision comes after it. */
export function personAtTerminal(human: HumanAtTerminal, say: (text: string) => void = () => undefined): Person {
  return {
    async decide({ client, reason, risk, proposals, argsText, preview, operands, ...call }, signal) {
      const request: ApprovalRequest = {
        ...{ callId: call.callId, toolName: call.toolName, args: JSON.parse(argsText) as ApprovalRequest['args'] },
        ...{ argsText, argsSha256: call.argsSha256, origin: 'server', program: true, preview, operands },
        approval: { reason: `${client} asks, over MCP: ${reason}`, risk, choices: ['approve', 'reject'], proposals: [...proposals] },
        onPreview: () => () => undefined, // the question came with it
      };
      let answer = await human.approve(request, signal);
      while (answer?.decision === 'edit') answer = await human.approve({ ...request, refusal: AS_THEY_ARE }, signal);
      if (answer === undefined) {
        if (signal.aborted) say(`${call.toolName} of ${client}: decided elsewhere, or given up.`);
        return undefined;
      }
      const { decision, remember } = answer;
      say(`${call.toolName} of ${client}: ${decision === 'approve' ? 'approved' : 'rejected'}.`);
      return decision === 'approve' ? { decision, remember } : { decision: 'reject', remember, feedback: answer.feedback };
    },
    async answer({ client, message, actions }, signal) {
      try {
        return { action: await human.promptUser(`${message}\n(${client}, over MCP)`, actions, signal) };
      } catch {
        return signal.aborted ? undefined : {}; // declined
      }
    },
  };
}
