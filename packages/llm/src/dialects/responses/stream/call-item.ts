import { asObject, parseJson } from '../../../json/read-json.js';
import type { DeclaredTool } from '../request/declared-tools.js';
import { itemAdded, itemDone, placeOf, type ItemPlace, type ItemStatus, type ItemWriter } from './item-writer.js';

/** A call of a function: its arguments are text that is carried, never parsed. */
export class FunctionCallItem implements ItemWriter {
  private readonly place: ItemPlace;
  private readonly head: object;
  private readonly pieces: string[] = [];
  private status: ItemStatus | 'in_progress' = 'in_progress';

  constructor(place: ItemPlace, callId: string, { name, namespace }: DeclaredTool) {
    this.place = place;
    this.head = { type: 'function_call', id: place.id, call_id: callId, name, namespace };
  }

  begin(): string {
    return itemAdded(this.place, this.item());
  }

  add(piece: string): string {
    this.pieces.push(piece);
    return this.place.events.writeText('response.function_call_arguments.delta', `${placeOf(this.place)},"delta":${JSON.stringify(piece)}`);
  }

  /** A call that ends without any argument text has none: `{}`. One that was cut stays as it is (ST11). */
  end(status: ItemStatus): string {
    const empty = status === 'completed' && this.pieces.length === 0 ? this.add('{}') : '';
    this.status = status;
    const text = JSON.stringify(this.pieces.join(''));
    const done = this.place.events.writeText('response.function_call_arguments.done', `${placeOf(this.place)},"arguments":${text}`);
    return empty + done + itemDone(this.place, this.item());
  }

  item(): object {
    return { ...this.head, arguments: this.pieces.join(''), status: this.status };
  }
}

/**
 * A call of a tool that a model was told of as a function, and that the caller declared as something else: `custom`, whose input is a text,
 * or a search for tools, whose arguments are an object. It is known only when the arguments are whole, so it goes out in one piece.
 */
export class WrappedCallItem implements ItemWriter {
  private readonly place: ItemPlace;
  private readonly callId: string;
  private readonly tool: DeclaredTool;
  private readonly pieces: string[] = [];
  private status: ItemStatus | 'in_progress' = 'in_progress';

  constructor(place: ItemPlace, callId: string, tool: DeclaredTool) {
    this.place = place;
    this.callId = callId;
    this.tool = tool;
  }

  begin(): string {
    return itemAdded(this.place, this.item());
  }

  add(piece: string): string {
    this.pieces.push(piece);
    return '';
  }

  end(status: ItemStatus): string {
    this.status = status;
    const { events } = this.place;
    const input = JSON.stringify(this.input());
    const pieces =
      this.tool.kind === 'custom'
        ? events.writeText('response.custom_tool_call_input.delta', `${placeOf(this.place)},"delta":${input}`) +
          events.writeText('response.custom_tool_call_input.done', `${placeOf(this.place)},"input":${input}`)
        : '';
    return pieces + itemDone(this.place, this.item());
  }

  item(): object {
    const { kind, name, namespace } = this.tool;
    const head = { id: this.place.id, call_id: this.callId, status: this.status };
    if (kind === 'tool_search') return { type: 'tool_search_call', ...head, execution: 'client', arguments: asObject(this.parsed()) };
    return { type: 'custom_tool_call', ...head, name, namespace, input: this.input() };
  }

  /** The one argument of the function; what a model wrote instead of it is taken as it is. */
  private input(): string {
    const { input } = asObject(this.parsed());
    return typeof input === 'string' ? input : this.pieces.join('');
  }

  private parsed(): unknown {
    return parseJson(this.pieces.join('')); // may still be to come, cut off, or no JSON: see above
  }
}
