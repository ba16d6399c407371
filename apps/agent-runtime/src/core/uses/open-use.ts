import type { StepAnswer } from '@codelab/bus';
import { readArguments, type Row } from '@codelab/vocabularies';
import { objectText, openCall } from '../calls/open-call.js';
import { syntheticResult } from '../calls/call-result.js';
import { findOffered } from '../model/offered-tools.js';
import type { StepBuilder } from '../turn/step-builder.js';
import type { Call, RowUse, Use, UseEnd } from '../turn/turn-state.js';
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
  if (offered?.by !== 'row') return { ...openCall(builder, requested, useId, offered), use: { useId, callIds: [useId] } };
  const { row } = offered;
  const context = useContextOf(builder);
  const read = readArguments(row, requested.name, requested.arguments, context);
  const used: RowUse = read.ok
    ? {
        ...{ name: requested.name, args: JSON.stringify(read.args), end: countUse(builder, row) },
        ...{ file: row.file?.(read.args, context), files: row.files?.(read.args, context) },
      }
    : { name: requested.name, args: '{}', end: failed('INVALID_ARGUMENTS', read.message) };
  return { use: { useId, callIds: [], row: used }, toolName: row.stands, argumentsText: objectText(requested.arguments) };
}

const failed = (code: 'INVALID_ARGUMENTS' | 'DENIED_BY_POLICY', message: string): UseEnd => {
  const { content: text, isError, outcome } = syntheticResult(code, message);
  return { text, isError, outcome };
};

/** Counts a use of a row that a turn may use so often only. */
const countUse = (builder: StepBuilder, { name, maxExecutions }: Row): UseEnd | undefined => {
  if (maxExecutions === undefined) return undefined;
  const { used = {} } = builder.runningTurn;
  const count = (used[name] ?? 0) + 1;
  if (count > maxExecutions) return failed('DENIED_BY_POLICY', `${name} runs at most ${String(maxExecutions)} times in a turn.`);
  builder.change({ used: { ...used, [name]: count } });
  return undefined;
};
