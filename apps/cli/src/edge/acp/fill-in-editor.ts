import { methods, RequestError, type CreateElicitationRequest } from '@agentclientprotocol/sdk';
import { randomUUID } from 'node:crypto';
import { readElicitationAnswer, toElicitationSchema } from '../../core/acp/elicitation.js';
import type { FormOutcome, FormRequest } from '../../core/form/form-prompt.js';
import type { Editor } from './editor.js';

interface Asking {
  readonly editor: Editor;
  /** Puts a question with a few answers. */
  readonly choose: (text: string, options: readonly { readonly value: string; readonly title: string }[]) => Promise<string | undefined>;
  readonly signal: AbortSignal;
}

const DECLINED: FormOutcome = { action: 'decline' };
const DISMISSED: FormOutcome = { action: 'cancel' };
const ACCEPTED: FormOutcome = { action: 'accept', content: {} };

/**
 * Asks the person at the editor what an MCP server wants to know: by a form or an address where the editor has such things, else by a plain question. A
 * form that the editor can't show is declined, since nobody could fill it in.
 */
export async function fillInEditor(request: FormRequest, { editor, choose, signal }: Asking): Promise<FormOutcome> {
  const { abilities, sessionId } = editor;
  const message = `${request.server}: ${request.message}`;
  if (request.kind === 'address') {
    if (!abilities.opensAddresses) return asOutcome(await choose(`${message}\n\nOpen ${request.url}?`, yesOrNo('Open it')));
    return elicit({ sessionId, mode: 'url', elicitationId: randomUUID(), url: request.url, message });
  }
  if (request.kind === 'sampling') return asOutcome(await choose(`${message}\n\n${request.prompt}`, yesOrNo('Let it ask the model')));
  if (!abilities.forms) return request.fields.length === 0 ? asOutcome(await choose(message, yesOrNo('Accept'))) : DECLINED;
  return elicit({ sessionId, mode: 'form', message, requestedSchema: toElicitationSchema(request.fields) });

  async function elicit(params: CreateElicitationRequest): Promise<FormOutcome> {
    try {
      await editor.ready;
      return readElicitationAnswer(await requestOf(editor, params, signal));
    } catch (error) {
      if (signal.aborted || error instanceof RequestError) return DISMISSED;
      throw error;
    }
  }
}

const requestOf = (editor: Editor, params: CreateElicitationRequest, signal: AbortSignal) =>
  editor.client.request(methods.client.elicitation.create, params, { cancellationSignal: signal, stopWaitingOnCancel: true });

const yesOrNo = (yes: string) => [
  { value: 'yes', title: yes },
  { value: 'no', title: 'Decline' },
];

const asOutcome = (answer: string | undefined): FormOutcome => (answer === undefined ? DISMISSED : answer === 'yes' ? ACCEPTED : DECLINED);
