import { defineServerFrame } from '../../define-frame.js';
import { Choice, Flag, NestedList, Text, TextList } from '../../fields.js';
import { TOOL_STATUSES } from '../session-facts.frames.js';

/** A part of what came out of a use, as people can be shown it. */
export class ShownItem {
  @Text('What it is called: a file, a tool.') name!: string;
  @Text('What it is.') description!: string;
  @Text('Its text, at most 4,096 characters: the history has the whole.') content!: string;
  @Flag('`content` is cut.', { optional: true }) content_truncated?: boolean;
  @Text('Where it comes from: `file:///home/dev/app/src/a.ts`, or a web address.', { optional: true }) uri?: string;
  @Text('The address of a picture.', { optional: true }) icon?: string;
}

/** Where a model's use of a tool stands, from its first letter to its end: one or several calls (docs/specification/calls.md#uses). */
export class ToolUse {
  @Text('The use, as the history names it. Its first call has the same id.') use_id!: string;
  @Text('The tool, as the model called it; absent where a use ends that was never whole.', { optional: true }) tool_name?: string;
  @Text('What people call it: `Edit file`.', { optional: true }) title?: string;
  @Choice('Where it stands.', TOOL_STATUSES) status!: (typeof TOOL_STATUSES)[number];
  @TextList('The calls that were made for it so far, in order.', { optional: true, maxItems: 64 }) call_ids?: string[];
  @NestedList('At its end: what came out of it.', ShownItem, { optional: true, maxItems: 32 }) items?: ShownItem[];
}

export const toolUse = defineServerFrame({
  type: 'tool_use',
  body: ToolUse,
  log: true,
  optIn: true,
  summary: 'A model’s use of a tool is so far.',
});
