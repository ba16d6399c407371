import { defineClientFrame } from '../define-frame.js';
import { LooseList } from '../fields.js';
import { faultOfTool, type ForeignTool, TOOL_SCHEMA } from './hello.frame.js';

/** All tools that the executor has now, in the place of those that it named before. */
export class ToolsChanged {
  @LooseList('As in `hello.tools`: canonical tool names, or definitions of tools that only this client has, at most 256 KB in all.', {
    maxItems: 256,
    items: TOOL_SCHEMA,
    check: faultOfTool,
  })
  tools!: (string | ForeignTool)[];
}

export const toolsChanged = defineClientFrame({
  type: 'tools_changed',
  body: ToolsChanged,
  summary: 'The tools that the executor has from now on. Open calls stay what they are; the next model request offers the new list.',
});
