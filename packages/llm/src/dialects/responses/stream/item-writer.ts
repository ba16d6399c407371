import { toJsonText } from '../../../json/index.js';

/** Where an item goes: its place in the answer, and its id. */
export interface ItemPlace {
  readonly events: EventWriter;
  readonly outputIndex: number;
  readonly id: string;
}

/** `incomplete`: the answer was cut in it. */
export type ItemStatus = 'completed' | 'incomplete';

/** One item of an answer while it is written. Each method gives the events to send now; they are called in this order. */
export interface ItemWriter {
  begin(): string;
  /** Takes more of its text or arguments. */
  add(piece: string): string;
  end(status: ItemStatus): string;
  /** The whole item, once it ended. */
  item(): object;
}

/** The members that every event of an item has. */
export const placeOf = ({ id, outputIndex }: ItemPlace): string => `"item_id":${JSON.stringify(id)},"output_index":${outputIndex}`;

export const itemAdded = ({ events, outputIndex }: ItemPlace, item: object): string =>
  events.write('response.output_item.added', { output_index: outputIndex, item });

export const itemDone = ({ events, outputIndex }: ItemPlace, item: object): string =>
  events.write('response.output_item.done', { output_index: outputIndex, item });

/** Writes the events of one stream: each with its name, and numbered without a gap. */
export class EventWriter {
  private number = 0;

  /** The text of one event. `fields` may hold `RawJson`. */
  write(type: string, fields: object): string {
    return this.writeText(type, toJsonText(fields).slice(1, -1));
  }

  /** The same for the members of an object as JSON text, without its braces: for what is written often or is big. */
  writeText(type: string, members: string): string {
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.number++},${members}}\n\n`;
  }
}
