import { toJsonText } from '../../../json/index.js';

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
