import type { McpHooks } from '@codelab/mcp';
import { readForm } from '@codelab/tools/human';
import type { FormOutcome, FormRequest } from '../../core/form/form-prompt.js';

/** Whoever can be asked. */
export interface FormFiller {
  fillIn(request: FormRequest, signal: AbortSignal): Promise<FormOutcome>;
}

/** Lets the human answer what a server asks. An address is opened only after they said so. */
export const askHuman =
  (human: FormFiller, open: (url: string) => void, onProblem: (text: string) => void): NonNullable<McpHooks['elicit']> =>
  async (request, { server, signal }) => {
    const { message } = request;
    if (request.mode === 'url') {
      if (!/^https?:\/\//.test(request.url)) return { action: 'decline' };
      const outcome = await human.fillIn({ kind: 'address', server, message, url: request.url }, signal);
      if (outcome.action === 'accept') open(request.url);
      return outcome.action === 'accept' ? { action: 'accept' } : outcome;
    }
    const fields = readForm(request.schema);
    if (typeof fields === 'string') {
      onProblem(`The MCP server ${server} asked for something that can't be asked: ${fields}.`);
      return { action: 'cancel' };
    }
    const outcome = await human.fillIn({ kind: 'form', server, message, fields }, signal);
    return outcome.action === 'accept' ? { action: 'accept', content: toContent(outcome.content) } : outcome;
  };

/** Where nobody is there to answer: said as a no, so that the server doesn't wait. */
export const declineAll: NonNullable<McpHooks['elicit']> = () => Promise.resolve({ action: 'decline' });

const toContent = (answers: Extract<FormOutcome, { action: 'accept' }>['content']): Record<string, string | number | boolean | string[]> =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, typeof answer === 'object' ? [...answer] : answer]));
