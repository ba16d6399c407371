import type { ModelTool, ToolChoice } from '../../../canonical/message.js';
import { asList, asObject } from '../../../json/read-json.js';
import type { DeclaredTools } from './declared-tools.js';
import { quote, refuse } from '../../../check/refuse.js';

/** A choice, and the tools that are left by it. */
export interface DecodedChoice {
  readonly tools: readonly ModelTool[];
  readonly choice?: ToolChoice;
}

/** Reads `tool_choice` in all its forms (RQ9, RQ10). One that forces a tool which only OpenAI has is refused: dropping it would go unnoticed. */
export function decodeChoice(value: unknown, tools: readonly ModelTool[], declared: DeclaredTools): DecodedChoice {
  if (value === undefined || value === null) return { tools };
  if (value === 'auto' || value === 'none') return { tools, choice: value };
  if (value === 'required') {
    if (tools.length === 0) throw refuse('tool_choice', 'requires a tool, but the request has none that this model can call.');
    return { tools, choice: value };
  }
  const { type, mode, tools: allowed } = asObject(value);
  switch (type) {
    case 'allowed_tools': {
      const names = new Set(asList(allowed).flatMap((tool) => declared.choose(tool) ?? []));
      const kept = tools.filter(({ name }) => names.has(name));
      return { tools: kept.length > 0 ? kept : tools, choice: mode === 'required' ? 'required' : 'auto' };
    }
    case 'function':
    case 'custom': {
      const name = declared.choose(value);
      if (name === undefined) throw refuse('tool_choice', `names the tool ${quote(asObject(value).name)}, which is not in \`tools\`.`);
      return { tools, choice: { name } };
    }
    default:
      throw refuse(
        'tool_choice',
        typeof type === 'string'
          ? `forces ${quote(type)}, which OpenAI runs on its servers and this model doesn't have.`
          : 'send "auto", "none", "required", or an object with `type`.',
      );
  }
}
