import type { StepAnswer } from '@codelab/bus';
import { readArguments, type Row, type SourceTool } from '@codelab/vocabularies';
import { objectText, openCall, readForeignArguments, refusedCall } from '../calls/open-call.js';
import { type CallResult, syntheticResult } from '../calls/call-result.js';
import { findOffered } from '../model/offered-tools.js';
import type { OfferedTool } from '../model/who-runs.js';
import type { SessionFacts } from '../session/session-facts.js';
import type { StepBuilder } from '../turn/step-builder.js';
import type { Call, RowUse, Use, UseEnd } from '../turn/turn-state.js';
import { limitOf } from './tool-limits.js';
import { useContextOf } from './use-context.js';

type Requested = StepAnswer['toolCalls'][number];

/** A use of a tool as it goes into the history: the arguments are an object, whatever the model wrote. */
export interface OpenedUse {
  readonly use: Use;
  /** The call that the model made itself. */
  readonly call?: Call;
  readonly toolName: string;
  readonly argumentsText: string;
}

/**
 * Opens one use of an answer: a call that the model makes itself, which goes out at once, or a row of its vocabulary, whose arguments are
 * read here and whose calls are made by {@link workUses}.
 */
export function openUse(builder: StepBuilder, requested: Requested, useId: string): OpenedUse {
  const offered = findOffered(builder.context.facts, builder.runningTurn, requested.name);
  if (offered?.by !== 'row') {
    const source = sourceOf(builder.context.facts, offered);
    return source === undefined ? openOwn(builder, requested, useId, offered) : openForeign(builder, requested, useId, source);
  }
  const { row } = offered;
  const context = useContextOf(builder);
  const read = readArguments(row, requested.name, requested.arguments, context);
  const used: RowUse = read.ok
    ? {
        ...{ name: requested.name, args: JSON.stringify(read.args) },
        ...{ file: row.file?.(read.args, context), files: row.files?.(read.args, context), end: overLimit(builder, row) },
      }
    : { name: requested.name, args: '{}', end: toEnd(syntheticResult('INVALID_ARGUMENTS', read.message)) };
  return { use: { useId, callIds: [], row: used }, toolName: row.stands, argumentsText: objectText(requested.arguments) };
}

/** The tool, where its results have a shape that has to be put into words. A program reads what its tools by URL answered, as they did. */
const sourceOf = ({ program }: SessionFacts, offered: OfferedTool | undefined): SourceTool | undefined => {
  if (offered === undefined || offered.by === 'caller') return undefined;
  const { name: tool, source } = offered.tool;
  return source === 'mcp' || (source === 'http' && program === undefined) ? { tool, source } : undefined;
};

/** A use of a tool from outside: one call, with the arguments as the model wrote them. */
const openForeign = (builder: StepBuilder, requested: Requested, useId: string, own: SourceTool): OpenedUse => {
  const { tool: toolName } = own;
  const read = readForeignArguments(toolName, requested.arguments);
  const refusal = read.ok ? countUse(builder, [requested.name, toolName]) : syntheticResult(read.code, read.message);
  const args = read.ok ? read.text : '{}';
  const row: RowUse = { name: requested.name, args, own, end: refusal && toEnd(refusal) };
  return { use: { useId, callIds: [], row }, toolName, argumentsText: read.ok ? read.text : objectText(requested.arguments) };
};

/** A call that the model makes itself. */
const openOwn = (builder: StepBuilder, requested: Requested, useId: string, offered: OfferedTool | undefined): OpenedUse => {
  const use = { useId, callIds: [useId] };
  const name = offered === undefined || offered.by === 'caller' ? undefined : offered.tool.name;
  const refusal = name === undefined ? undefined : countUse(builder, [requested.name, name]);
  if (name === undefined || refusal === undefined) return { ...openCall(builder, requested, useId, offered), use };
  return { use, call: refusedCall(useId, name, refusal), toolName: name, argumentsText: objectText(requested.arguments) };
};

const overLimit = (builder: StepBuilder, row: Row): UseEnd | undefined => {
  const refusal = countUse(builder, [row.name, row.stands]);
  return refusal && toEnd(refusal);
};

const toEnd = ({ content: text, isError, outcome }: CallResult): UseEnd => ({ text, isError, outcome });

/** Counts a use of a tool that a turn may use so often only. Answers what the model reads of one that is too many. */
const countUse = (builder: StepBuilder, names: readonly string[]): CallResult | undefined => {
  const limit = limitOf(builder.context.limits.tools, names);
  if (limit?.maxExecutions === undefined) return undefined;
  const { name, maxExecutions } = limit;
  const { used = {} } = builder.runningTurn;
  const count = (used[name] ?? 0) + 1;
  const words = `${names[0] ?? name} runs at most ${String(maxExecutions)} times in a turn, and has. Go on without it, or say what is left.`;
  if (count > maxExecutions) return syntheticResult('DENIED_BY_POLICY', words);
  builder.change({ used: { ...used, [name]: count } });
  return undefined;
};
