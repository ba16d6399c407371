import { findJsonFault, isJsonObject, type JsonObject } from '@codelab/tools';
import { jsonrepair } from 'jsonrepair';
import type { Row } from '../table/row.js';
import type { UseContext } from '../table/use-context.js';
import { type FittedArguments, fitArguments } from './fit-arguments.js';

/**
 * The arguments of a use as its row takes them, from the text that a model wrote. An empty text means `{}`. A text that is no JSON, such as
 * one that was cut off, is repaired for a row that changes nothing, and counts only if what comes out fits the schema; for any other row
 * it is an error, so that nothing is ever run with arguments that nobody wrote (seed `001…`, `safeParseToolCallArgs`).
 * @param name as the model called it; an alias has its own way of writing the arguments
 */
export function readArguments(row: Row, name: string, text: string, context: UseContext): FittedArguments {
  const parsed = parse(row, text.trim() === '' ? '{}' : text);
  if (!parsed.ok) return parsed;
  const fitted = fitArguments(row.parameters, withShownNames(row, row.aliases?.[name]?.(parsed.args) ?? parsed.args));
  const fault = fitted.ok ? row.check?.(fitted.args, context) : undefined;
  return fault === undefined ? fitted : { ok: false, message: fault };
}

const withShownNames = ({ argumentAliases = {} }: Row, args: JsonObject): JsonObject => {
  const renamed = Object.entries(argumentAliases).filter(([other, shown]) => Object.hasOwn(args, other) && (args[shown] ?? null) === null);
  return renamed.length === 0 ? args : { ...args, ...Object.fromEntries(renamed.map(([other, shown]) => [shown, args[other]])) };
};

const notObject = (text: string): FittedArguments => ({ ok: false, message: `arguments: ${text.slice(0, 60)}; expected one JSON object` });

function parse(row: Row, text: string): FittedArguments {
  const direct = parseObject(text);
  if ('args' in direct) {
    const fault = findJsonFault(text);
    return fault === undefined ? { ok: true, args: direct.args } : { ok: false, message: `arguments: ${fault}; expected plain JSON` };
  }
  if (direct.fault === undefined) return notObject(text);
  const args = row.idempotency === 'safe' ? repair(text) : undefined;
  return args === undefined
    ? { ok: false, message: `arguments: not valid JSON (${direct.fault}); expected one JSON object` }
    : { ok: true, args };
}

const parseObject = (text: string): { readonly args: JsonObject } | { readonly fault: string | undefined } => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { args: value } : { fault: undefined };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'not JSON' };
  }
};

/** Longer texts aren't repaired: what only reads needs no more. */
const MAX_REPAIRED = 64 * 1024;

const repair = (text: string): JsonObject | undefined => {
  if (text.length > MAX_REPAIRED) return undefined;
  try {
    const value: unknown = JSON.parse(jsonrepair(text));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
