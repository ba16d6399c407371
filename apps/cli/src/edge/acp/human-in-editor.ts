import type { ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { ApprovalAnswer, ApprovalRequest, Approve } from '@codelab/client';
import type { CallItem } from '@codelab/client/view';
import type { Ask } from '@codelab/workspace';
import { ToolFailure } from '@codelab/workspace';
import { formatPatch, listChunks, type ParsedPatch } from '@codelab/tools';
import { sanitiseLine } from '@codelab/tools/human';
import type { Review } from '@codelab/tools/patch';
import { chosenOf, choicesOf } from '../../core/acp/permission.js';
import { textContent, toToolCall, type CallPlace } from '../../core/acp/tool-call.js';
import { toDiffs } from '../../core/acp/diff-content.js';
import type { FormOutcome, FormRequest } from '../../core/form/form-prompt.js';
import type { Editor } from './editor.js';
import { fillInEditor } from './fill-in-editor.js';
import type { SessionTeller } from './session-teller.js';

interface Ports {
  readonly editor: Editor;
  readonly teller: SessionTeller;
  readonly place: CallPlace;
  /** The person dismissed a question that stands: the turn stops, as the protocol has it. */
  readonly dismissed: () => void;
  /** The person wants files edited unasked from here on. */
  readonly free: () => Promise<void>;
}

/** The person at the editor, for approvals and for the tools that ask. */
export class HumanInEditor implements Ask {
  private questions = 0;

  constructor(private readonly ports: Ports) {}

  /** Nothing that was said outlives its turn. */
  endTurn(): void {
    // every question of an editor is answered by itself
  }

  readonly approve: Approve = async (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> => {
    const { callId, preview, onPreview } = request;
    const { editor, teller } = this.ports;
    await editor.ready;
    if (preview !== undefined) teller.tell({ kind: 'call_previewed', callId, preview, atMs: Date.now() });
    const endPreviews = onPreview((shown) => teller.tell({ kind: 'call_previewed', callId, preview: shown, atMs: Date.now() }));
    teller.flush();
    const choices = choicesOf(request);
    const outcome = await editor
      .ask({ toolCall: this.describe(request), options: choices.map(({ option }) => option) }, signal)
      .finally(endPreviews);
    const chosen = chosenOf(choices, outcome);
    if (chosen === undefined && !signal.aborted) this.ports.dismissed();
    if (chosen?.frees === true) await this.ports.free();
    return chosen?.answer;
  };

  async promptUser(message: string, actions: readonly string[], signal: AbortSignal): Promise<string> {
    const action = this.ports.editor.abilities.forms
      ? await this.askByForm(message, actions, signal)
      : await this.askByOptions(message, actions, signal);
    if (action === undefined) throw new ToolFailure('PERMISSION_DENIED', 'The user declined to answer.');
    return action;
  }

  private async askByForm(message: string, actions: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const options = actions.map((action) => ({ value: action, title: sanitiseLine(action, MAX_WORDS) }));
    const fields = [{ name: 'answer', title: 'Answer', required: true, input: { kind: 'choice' as const, options } }];
    const outcome = await this.fillIn({ kind: 'form', server: 'CodeLab', message, fields }, signal);
    const answer = outcome.action === 'accept' ? outcome.content['answer'] : undefined;
    return actions.find((action) => action === answer);
  }

  private async askByOptions(message: string, actions: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const options = actions.map((action, index) => ({ value: String(index), title: sanitiseLine(action, MAX_WORDS) }));
    const index = await this.choose(message, [], options, signal);
    return index === undefined ? undefined : actions[Number(index)];
  }

  /** An editor shows a patch as a whole: all of it is kept, or nothing, unless it can ask with a form. */
  async reviewPatch(patch: ParsedPatch, message: string | undefined, signal: AbortSignal): Promise<Review> {
    const { editor, place } = this.ports;
    const chunks = listChunks(patch).map(({ number }) => number);
    const diffs = toDiffs(formatPatch(patch), place.toPath);
    const text = message === undefined || message === '' ? 'Which of these changes should be made?' : message;
    if (editor.abilities.forms && chunks.length > 1) {
      const fields = [
        {
          ...{ name: 'changes', title: 'Changes to keep', required: true },
          input: {
            kind: 'choices' as const,
            options: chunks.map((number, index) => ({ value: String(number), title: `${number}: ${diffs[index]?.diff.path ?? ''}` })),
            fallback: chunks.map(String),
          },
        },
      ];
      const body = `${text}\n\n${formatPatch(patch).slice(0, MAX_SHOWN)}`;
      const outcome = await this.fillIn({ kind: 'form', server: 'CodeLab', message: body, fields }, signal);
      const kept = outcome.action === 'accept' ? outcome.content['changes'] : undefined;
      return Array.isArray(kept) && kept.length > 0 ? { action: 'apply', chunks: kept.map(Number) } : { action: 'cancel', chunks: [] };
    }
    const content = diffs.map(({ diff }) => ({ type: 'diff' as const, ...diff }));
    const options = [
      { value: 'apply', title: 'Keep these changes' },
      { value: 'cancel', title: 'Drop them' },
    ];
    const answer = await this.choose(text, content, options, signal);
    return answer === 'apply' ? { action: 'apply', chunks } : { action: 'cancel', chunks: [] };
  }

  /** Puts what an MCP server asks. */
  fillIn(request: FormRequest, signal: AbortSignal): Promise<FormOutcome> {
    const choose = (text: string, options: Options): Promise<string | undefined> => this.choose(text, [], options, signal);
    return fillInEditor(request, { editor: this.ports.editor, choose, signal });
  }

  /** Puts a question that is no approval: it stands as a step of its own, which ends with the answer. Undefined: none was given. */
  private async choose(
    text: string,
    content: NonNullable<ToolCallUpdate['content']>,
    options: Options,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { editor } = this.ports;
    await editor.ready;
    this.questions += 1;
    const toolCallId = `question-${Date.now().toString(36)}-${this.questions}`;
    const title = sanitiseLine(text, MAX_WORDS);
    const shown = [...(text === title ? [] : [textContent(text)]), ...content];
    editor.update({ sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status: 'pending', content: shown });
    const outcome = await editor.ask(
      {
        toolCall: { toolCallId, title, kind: 'other', status: 'pending', content: shown },
        options: options.map(({ value, title: name }, index) => ({
          optionId: value,
          name,
          kind: index === options.length - 1 && options.length > 1 ? 'reject_once' : 'allow_once',
        })),
      },
      signal,
    );
    const answer = outcome.outcome === 'selected' ? options.find(({ value }) => value === outcome.optionId) : undefined;
    const words = answer === undefined ? 'Not answered.' : answer.title;
    const status = answer === undefined ? 'failed' : 'completed';
    editor.update({ sessionUpdate: 'tool_call_update', toolCallId, status, content: [...shown, textContent(words)] });
    return answer?.value;
  }

  /** The call as it stands, with why it is asked, and why the last answer did not count. */
  private describe({ callId, toolName, argsText, argsSha256, approval, preview, refusal, program }: ApprovalRequest): ToolCallUpdate {
    const unknown: CallItem = { kind: 'call', callId, toolName, args: argsText, argsSha256, progress: 'waiting', approval, preview };
    const { content = [], ...call } = toToolCall(this.ports.teller.call(callId) ?? unknown, this.ports.place);
    const words = [
      ...(refusal === undefined ? [] : [`Your last answer did not count: ${refusal.message}`]),
      ...(program === true ? ['A program asks for this through llm-proxy.'] : []),
      ...(approval === undefined ? [] : [`${approval.reason} (risk: ${approval.risk})`]),
    ];
    return { ...call, status: 'pending', content: [...content, ...(words.length === 0 ? [] : [textContent(words.join('\n'))])] };
  }
}

type Options = readonly { readonly value: string; readonly title: string }[];

/** Characters of an answer, and of a question in one line. */
const MAX_WORDS = 200;

/** Characters of a patch that stand in a form. */
const MAX_SHOWN = 8_000;
