import { defineClientFrame, defineServerFrame } from '../../define-frame.js';
import { Choice, Integer, Text } from '../../fields.js';
import { LIMITS } from '../../limits.js';

/** A piece of the output of a running tool: a log with byte offsets, at most 4 MB a call. */
export class ToolOutput {
  @Text('The call.', { min: 1, max: 128 }) call_id!: string;
  @Choice('Which stream.', ['stdout', 'stderr']) stream!: 'stdout' | 'stderr';
  @Integer('Bytes of this stream before `data`.') offset!: number;
  @Text('The new text.', { max: LIMITS.MAX_OUTPUT_BYTES }) data!: string;
}

export const toolOutput = defineClientFrame({ type: 'tool_output', body: ToolOutput, id: 'call_id', summary: 'Progress of a long tool.' });

export const toolOutputRelayed = defineServerFrame({
  type: 'tool_output',
  body: ToolOutput,
  log: false,
  optIn: true,
  summary: 'Progress of a long tool, for everybody who watches. May be dropped under pressure, the last one excepted.',
});
