import { itemAdded, itemDone, placeOf, type ItemPlace, type ItemStatus, type ItemWriter } from './item-writer.js';
import { sealThought } from '../request/thought-envelope.js';

/**
 * What the model thinks: a `reasoning` item whose summary is the thought itself, and whose `encrypted_content` carries it back to its
 * provider. A thought that is shown to nobody has an empty summary.
 */
export class ReasoningItem implements ItemWriter {
  private readonly place: ItemPlace;
  private readonly at: string;
  private readonly pieces: string[] = [];
  private readonly redacted: string | undefined;
  private signature: string | undefined;

  /** @param redacted the data of a thought without text */
  constructor(place: ItemPlace, redacted?: string) {
    this.place = place;
    this.at = `${placeOf(place)},"summary_index":0`;
    this.redacted = redacted;
  }

  begin(): string {
    return itemAdded(this.place, { type: 'reasoning', id: this.place.id, summary: [] });
  }

  add(piece: string): string {
    const { events } = this.place;
    const isFirst = this.pieces.push(piece) === 1;
    return (
      (isFirst ? events.writeText('response.reasoning_summary_part.added', `${this.at},"part":${partOf('')}`) : '') +
      events.writeText('response.reasoning_summary_text.delta', `${this.at},"delta":${JSON.stringify(piece)}`)
    );
  }

  /** What the provider knows its thought by. */
  sign(signature: string): void {
    this.signature = signature;
  }

  end(_status: ItemStatus): string {
    const { events } = this.place;
    const text = this.pieces.join('');
    const summary =
      this.pieces.length === 0
        ? ''
        : events.writeText('response.reasoning_summary_text.done', `${this.at},"text":${JSON.stringify(text)}`) +
          events.writeText('response.reasoning_summary_part.done', `${this.at},"part":${partOf(text)}`);
    return summary + itemDone(this.place, this.item());
  }

  item(): object {
    const text = this.pieces.join('');
    const signature = this.signature;
    const sealed =
      this.redacted === undefined
        ? sealThought({ kind: 'thinking', text, signature })
        : sealThought({ kind: 'redacted_thinking', data: this.redacted });
    const summary = this.pieces.length === 0 ? [] : [{ type: 'summary_text', text }];
    return { type: 'reasoning', id: this.place.id, summary, encrypted_content: sealed };
  }
}

const partOf = (text: string): string => JSON.stringify({ type: 'summary_text', text });
