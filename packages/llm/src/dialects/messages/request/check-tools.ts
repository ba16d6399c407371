import { aList, anObject, checkFields, fields, filledText, flag, isAbsent, oneOf, text } from '../../../check/check-fields.js';
import { asList, asObject, asText } from '../../../json/read-json.js';
import { quote, refuse } from '../../../check/refuse.js';

/**
 * Judges `tools`. Those with a type of their own are the vendor's: the provider knows what they need. Gives the names that they declare,
 * or nothing where a set of tools declares names that only the provider knows.
 */
export function checkTools(tools: unknown): ReadonlySet<string> | undefined {
  if (!isAbsent(tools)) aList(tools, 'tools');
  const names = new Set<string>();
  let isOpen = false;
  for (const [place, tool] of asList(tools).entries()) {
    const at = `tools[${place}]`;
    anObject(tool, at);
    const { type, name } = asObject(tool);
    if (isAbsent(type) || type === 'custom') {
      checkFields(asObject(tool), `${at}.`, { description: text, strict: flag }, { name: filledText, input_schema: anObject });
    } else {
      checkFields(asObject(tool), `${at}.`, { name: filledText }, { type: text });
      isOpen ||= asText(name) === undefined;
    }
    if (typeof name === 'string') names.add(name);
  }
  return isOpen ? undefined : names;
}

/** @param names the tools that a choice may name; left out: any */
export function checkChoice(choice: unknown, names: ReadonlySet<string> | undefined): void {
  if (isAbsent(choice)) return;
  fields({ disable_parallel_tool_use: flag }, { type: oneOf('auto', 'any', 'tool', 'none') })(choice, 'tool_choice');
  const { type, name } = asObject(choice);
  if (type !== 'tool') return;
  if (typeof name !== 'string' || name.trim() === '') throw refuse('tool_choice.name', 'must name the tool', { param: 'tool_choice' });
  if (names && !names.has(name)) throw refuse('tool_choice', `names the tool ${quote(name)}, which the request doesn't declare`);
}
