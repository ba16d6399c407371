import { itemAdded, itemDone, placeOf, type ItemPlace, type ItemStatus, type ItemWriter } from './item-writer.js';

/** What the model says: a `message` with one text. */
export class TextItem implements ItemWriter {
  private readonly place: ItemPlace;
  private readonly at: string;
  private readonly pieces: string[] = [];
  private status: ItemStatus = 'completed';

  constructor(place: ItemPlace) {
    this.place = place;
    this.at = `${placeOf(place)},"content_index":0`;
  }

  begin(): string {
    const { events, id } = this.place;
    const added = itemAdded(this.place, { type: 'message', id, status: 'in_progress', role: 'assistant', content: [] });
    return added + events.writeText('response.content_part.added', `${this.at},"part":${partOf('')}`);
  }

  add(piece: string): string {
    this.pieces.push(piece);
    return this.place.events.writeText('response.output_text.delta', `${this.at},"delta":${JSON.stringify(piece)},"logprobs":[]`);
  }

  end(status: ItemStatus): string {
    this.status = status;
    const { events } = this.place;
    const text = this.text();
    return (
      events.writeText('response.output_text.done', `${this.at},"text":${JSON.stringify(text)},"logprobs":[]`) +
      events.writeText('response.content_part.done', `${this.at},"part":${partOf(text)}`) +
      itemDone(this.place, this.item())
    );
  }

  item(): object {
    const content = [{ type: 'output_text', text: this.text(), annotations: [], logprobs: [] }];
    return { type: 'message', id: this.place.id, status: this.status, role: 'assistant', content };
  }

  private text(): string {
    return this.pieces.join('');
  }
}

const partOf = (text: string): string => JSON.stringify({ type: 'output_text', text, annotations: [], logprobs: [] });
