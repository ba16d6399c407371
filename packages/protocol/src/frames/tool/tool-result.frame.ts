import { defineClientFrame } from '../../define-frame.js';
import { CarriedValue, Flag, Integer, Nested, Text, TextList } from '../../fields.js';
import type { JsonText } from '../../json-text.js';

/** Why a call has no result. */
export class ToolError {
  @Text('One of the codes of the specification, or one of the client.', { min: 1, max: 64 }) code!: string;
  @Text('What was wrong, where, and what to do.', { max: 65_536 }) message!: string;
}

/** Answers one `tool_call`. The first answer wins; a repeat is acknowledged as `duplicate` (R2). */
export class ToolResult {
  @Text('The call.', { min: 1, max: 128 }) call_id!: string;
  @CarriedValue('The result, in the shape of the tool: any JSON value. `null` is one, unless there is an `error`.', {
    optional: true,
    insteadOf: 'error',
  })
  result?: JsonText;
  @Nested('Why there is none.', ToolError, { optional: true }) error?: ToolError;
  @TextList('Fingerprints of secrets in the result that the human at the executor allows to be shown; others are masked.', {
    optional: true,
    maxItems: 64,
  })
  allowed_secrets?: string[];
  @Flag('Nobody needs to decide: what would be shown of the undecided call says already that it fails, as `error` says. Nothing was run.', {
    optional: true,
  })
  preview_failed?: boolean;
  @Integer('The fence of the call that is answered. A seed client leaves it out.', { optional: true }) fence?: number;
}

export const toolResult = defineClientFrame({
  type: 'tool_result',
  body: ToolResult,
  id: 'call_id',
  answeredBy: 'tool_result_ack',
  summary: 'Answers one tool call.',
  constraints: [
    {
      oneOf: [
        { required: ['result'], properties: { error: { type: 'null' }, preview_failed: { enum: [false, null] } } },
        { required: ['error'], properties: { error: { not: { type: 'null' } }, result: { type: 'null' } } },
      ],
    },
  ],
  check: (body) => {
    if ((body.result === undefined) === (body.error === undefined)) return 'send result or error, one of them';
    return body.preview_failed === true && body.error === undefined ? 'preview_failed goes with an error' : undefined;
  },
});
