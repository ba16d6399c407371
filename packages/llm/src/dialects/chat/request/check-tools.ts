import { aList, anObject, checkFields, fields, filledText, flag, isAbsent, listOf, oneOf, text } from '../../../check/check-fields.js';
import { checkSchema } from '../../../check/check-schema.js';
import type { CheckOptions } from '../../dialect.js';
import { quote, refuse } from '../../../check/refuse.js';
import { asList, asObject, type Fields } from '../../../json/read-json.js';

const declaration = fields({ description: text, parameters: checkSchema, strict: flag }, { name: filledText });

/** Judges `tools`, and `functions`, their form of old. Gives the names that they declare. */
export function checkTools({ tools, functions }: Fields, { lenient = false }: CheckOptions): ReadonlySet<string> {
  const names = new Set<string>();
  if (!isAbsent(tools)) aList(tools, 'tools');
  for (const [place, tool] of asList(tools).entries()) {
    const at = `tools[${place}]`;
    anObject(tool, at);
    const { type } = asObject(tool);
    if (type !== 'function') {
      if (!lenient || typeof type !== 'string') throw refuse(`${at}.type`, `must be "function", not ${quote(type)}`);
      const { name } = asObject(asObject(tool)[type]);
      if (typeof name === 'string') names.add(name);
      continue;
    }
    checkFields(asObject(tool), `${at}.`, {}, { function: declaration });
    names.add(asObject(asObject(tool).function).name as string);
  }
  if (!isAbsent(functions)) listOf(declaration)(functions, 'functions');
  for (const { name } of asList(functions).map(asObject)) names.add(name as string);
  return names;
}

/**
 * Judges `tool_choice`, and `function_call`, its form of old.
 *
 * @param names the tools that a choice may name; left out: any
 */
export function checkChoice({ tool_choice, function_call }: Fields, names?: ReadonlySet<string>): void {
  if (typeof tool_choice === 'string') oneOf('none', 'auto', 'required')(tool_choice, 'tool_choice');
  else if (!isAbsent(tool_choice)) checkNamedChoice(tool_choice, names);
  if (typeof function_call === 'string') oneOf('none', 'auto')(function_call, 'function_call');
  else if (!isAbsent(function_call)) {
    fields({}, { name: filledText })(function_call, 'function_call');
    mustBeDeclared(asObject(function_call).name, 'function_call', names);
  }
}

function checkNamedChoice(choice: unknown, names: ReadonlySet<string> | undefined): void {
  fields({}, { type: oneOf('function', 'allowed_tools', 'custom') })(choice, 'tool_choice');
  const { type } = asObject(choice);
  if (type === 'allowed_tools') {
    const allowed = fields({}, { mode: oneOf('auto', 'required'), tools: listOf(anObject) });
    return fields({}, { allowed_tools: allowed })(choice, 'tool_choice');
  }
  const kind = type as 'function' | 'custom';
  fields({}, { [kind]: fields({}, { name: filledText }) })(choice, 'tool_choice');
  mustBeDeclared(asObject(asObject(choice)[kind]).name, 'tool_choice', names);
}

function mustBeDeclared(name: unknown, param: string, names: ReadonlySet<string> | undefined): void {
  if (!names || names.has(name as string)) return;
  const known = names.size === 0 ? 'the request declares no tools' : `declared are ${[...names].slice(0, 20).map(quote).join(', ')}`;
  throw refuse(param, `names the tool ${quote(name)}, which the request doesn't declare; ${known}`);
}
