import { defineServerFrame } from '../define-frame.js';
import { Choice, Decimal, Integer, Nested, Text, TextList } from '../fields.js';

/** What a turn cost. */
export class Usage {
  @Integer('Tokens that the model read.') input_tokens!: number;
  @Integer('Tokens that it wrote.') output_tokens!: number;
  @Decimal('The price in US dollars, where it is known.', { optional: true }) cost_usd?: number;
  @Integer('Tokens of the last request: how full the window of the model is.', { optional: true }) context_tokens?: number;
  @Integer('Tokens that the model reads at most, as far as it is known.', { optional: true }) context_window?: number;
}

/** Why a turn failed. */
export class TurnError {
  @Text('A code of the table of frame errors.') code!: string;
  @Text('What was wrong and what to do.') message!: string;
}

/** A turn begins. */
export class TurnStarted {
  @Text('The turn.') turn_id!: string;
  @TextList("The user's messages that it answers.", { maxItems: 256 }) message_ids!: string[];
  @Text('The model that answers.') model!: string;
}

/** Messages went into the turn that runs: the next request to the model has them, behind the results of its last answer. */
export class TurnSteered {
  @Text('The turn.') turn_id!: string;
  @TextList("The user's messages, in the order in which they went in.", { maxItems: 256 }) message_ids!: string[];
}

/** A turn ends, in exactly one of three ways (R3). */
export class TurnEnded {
  @Text('The turn.') turn_id!: string;
  @TextList("The user's messages that it answered.", { maxItems: 256 }) message_ids!: string[];
  @Text('The model that answered.') model!: string;
  @Choice('How.', ['completed', 'failed', 'cancelled']) status!: 'completed' | 'failed' | 'cancelled';
  @Nested('What it cost.', Usage) usage!: Usage;
  @Nested('Why it failed.', TurnError, { optional: true }) error?: TurnError;
  @Choice(
    'What a turn was completed by, if not by itself. Of a program: calls that only the program can run, the rounds of tools that it allowed, ' +
      "or the runtime's own limit of model requests, which was the lower one. Of a part of a task: its budget.",
    ['handed_over', 'max_tool_rounds', 'runtime_max_rounds', 'budget'],
    { optional: true },
  )
  stop?: TurnStop;
}

/** Why a turn is complete though its agent would have gone on. */
export type TurnStop = 'handed_over' | 'max_tool_rounds' | 'runtime_max_rounds' | 'budget';

export const turnStarted = defineServerFrame({ type: 'turn_started', body: TurnStarted, log: true, summary: 'A turn begins.' });
export const turnSteered = defineServerFrame({
  type: 'turn_steered',
  body: TurnSteered,
  log: true,
  optIn: true,
  summary: 'Steered messages went into the turn.',
});
export const turnEnded = defineServerFrame({ type: 'turn_ended', body: TurnEnded, log: true, summary: 'A turn ends. Answers `cancel`.' });
