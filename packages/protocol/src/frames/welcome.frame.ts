import { defineServerFrame } from '../define-frame.js';
import { Choice, Flag, Integer, Loose, LooseList, Nested, Text } from '../fields.js';
import type { JsonText } from '../json-text.js';

/** Text that is being written while the snapshot is taken. */
export class PartialMessage {
  @Text('The message.') message_id!: string;
  @Text('What there is of it.') text!: string;
}

/** The session as it is, in at most 1 MB. */
export class Snapshot {
  @Integer('The last frame that it contains.') seq!: number;
  @LooseList('The last 50 items of the conversation; long results are cut.', { maxItems: 50, items: { type: 'object' } })
  history!: JsonText[];
  @Text('Where REST goes on to older items.', { optional: true }) history_cursor?: string;
  @Loose('The turn that runs: `turn_id`, `status`, `message_ids`, `model`.', { optional: true }) turn?: Readonly<Record<string, unknown>>;
  @LooseList('`tool_call` frames of the calls that are open, in their present state.', { maxItems: 256, items: { type: 'object' } })
  open_calls!: JsonText[];
  @LooseList('The task list.', { maxItems: 256, items: { type: 'object' } }) todos!: JsonText[];
  @LooseList('Messages that wait: `message_id`, `content`.', { maxItems: 32, items: { type: 'object' } }) queue!: JsonText[];
  @LooseList('Steered messages that wait for the next model request of the turn: `message_id`, `content`. None without.', {
    optional: true,
    maxItems: 32,
    items: { type: 'object' },
  })
  steering?: JsonText[];
  @Text('How much is asked; `mode_switched` tells of another one.', { optional: true }) mode?: string;
  @Nested('Text that is being written.', PartialMessage, { optional: true }) partial?: PartialMessage;
}

/** Answers `hello`; sent again with `recovered: false` to resynchronise a living connection. */
export class Welcome {
  @Text('The session, as its owner calls it.') session_id!: string;
  @Text('The version that both speak.') protocol_version!: string;
  @Text('The life of the log that `seq` counts in.') epoch!: string;
  @Integer('The last frame of the log.') seq!: number;
  @Flag('The frames after `resume.seq` follow; otherwise `snapshot` stands for all before.') recovered!: boolean;
  @Choice('Who executes the tools.', ['you', 'other', 'none']) executor!: 'you' | 'other' | 'none';
  @Loose('Limits by name: bytes, characters, milliseconds.') limits!: Readonly<Record<string, number>>;
  @Nested('The session as it is.', Snapshot, { optional: true }) snapshot?: Snapshot;
}

export const welcome = defineServerFrame({
  type: 'welcome',
  body: Welcome,
  log: false,
  summary: 'Answers `hello`, before the replay or with a snapshot.',
});
