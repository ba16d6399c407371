import { stripVTControlCharacters } from 'node:util';
import type { CellEvent } from './bridge-event.js';
import { BoundedOutput } from './bounded-output.js';
import type { CellImage, CellPart } from './cell-part.js';
import { chooseShown } from './choose-shown.js';
import { SettledLines } from './settled-lines.js';

/** Images of one cell, and characters of base64 of all of them: with the texts they fit a frame. */
const MAX_IMAGES = 10;
const MAX_IMAGE_CHARACTERS = 6 * 1024 * 1024;

/** Characters of a traceback, and of the text of one display. */
const MAX_TRACEBACK = 16 * 1024;
const MAX_DISPLAY = 128 * 1024;

/** Displays that can be updated, and characters that all updates of a cell may add to what stood there. */
const MAX_NAMED = 1_000;
const MAX_GROWN = 256 * 1024;

/** What an exception says. */
export interface CellError {
  readonly name: string;
  readonly value: string;
  /** As IPython shows it, without colours. */
  readonly traceback?: string | undefined;
}

/** What hears of a cell while it runs. */
export interface CellListener {
  readonly onText: (stream: 'stdout' | 'stderr', text: string) => void;
  /** An image that is kept. Answers where a person finds it. */
  readonly onImage: (type: string, image: CellImage) => string;
}

/** Gathers what a cell puts out, as a notebook would show it in the end, and bounded. */
export class CellOutput {
  /** The first exception, which is the one that ended the cell. */
  error: CellError | undefined;
  private output = new BoundedOutput();
  private lines = { stdout: new SettledLines(), stderr: new SettledLines() };
  private named = new Map<string, CellPart>();
  private images: CellPart[] = [];
  private imageCharacters = 0;
  private grown = 0;
  private clearsNext = false;

  constructor(private readonly listener: CellListener) {}

  readonly add = (event: CellEvent): void => {
    if (event.event === 'clear') {
      if (event.wait) this.clearsNext = true;
      else this.clear();
      return;
    }
    if (this.clearsNext) this.clear();
    if (event.event === 'stream') this.addStream(event);
    else if (event.event === 'display') this.addDisplay(event);
    else this.addError(event);
  };

  /** All parts, now that the cell has ended. */
  end(): { readonly parts: readonly CellPart[]; readonly truncated: boolean } {
    this.settle();
    return { parts: this.output.parts(), truncated: this.output.truncated };
  }

  private addStream({ name, text }: Extract<CellEvent, { event: 'stream' }>): void {
    this.listener.onText(name, text);
    const settled = this.lines[name].add(text);
    if (settled !== '') this.output.add({ type: name, text: settled });
  }

  private addDisplay({ name, update, data, large }: Extract<CellEvent, { event: 'display' }>): void {
    this.settle();
    for (const [type, bytes] of Object.entries(large))
      this.put({ type: 'text/plain', text: `[${type} of ${String(bytes)} bytes is left out: more than 3 MB]` });
    const shown = chooseShown(data);
    if (shown === undefined) return;
    const known = name === null ? undefined : this.named.get(name);
    if (update && known !== undefined) return this.replace(known, shown);
    const part = this.admit(shown, 0);
    this.put(name === null ? part : { ...part, name }, name);
  }

  /** Changes what stands there already. */
  private replace(known: CellPart, shown: CellPart): void {
    const admitted = this.admit(shown, known.image?.data.length ?? 0, known);
    const next = this.grow(known, admitted);
    Object.assign(known, { type: next.type, text: next.text, image: next.image });
    if (next.image === undefined) this.listener.onText('stdout', `${next.text}\n`);
  }

  /** A text that is longer than what it replaces, if there is room for it; else a note. */
  private grow(known: CellPart, next: CellPart): CellPart {
    const more = next.text.length - known.text.length;
    if (more > 0 && this.grown + more > MAX_GROWN) return { type: 'text/plain', text: '[left out]' };
    this.grown = Math.max(0, this.grown + more);
    return next;
  }

  /** An image, if there is room for it; else a note. */
  private admit(shown: CellPart, freed: number, instead?: CellPart): CellPart {
    if (shown.image === undefined) return { ...shown, text: cutMiddle(shown.text, MAX_DISPLAY) };
    const others = this.images.filter((part) => part !== instead);
    const characters = this.imageCharacters - freed + shown.image.data.length;
    if (others.length >= MAX_IMAGES || characters > MAX_IMAGE_CHARACTERS) {
      const text = `[an image is left out: a cell shows at most ${String(MAX_IMAGES)}, of 4.5 MB together]`;
      return { type: 'text/plain', text };
    }
    this.imageCharacters = characters;
    const path = this.listener.onImage(shown.type, shown.image);
    this.listener.onText('stdout', `${path}\n`);
    this.images = instead === undefined ? others : [...others, instead];
    return shown;
  }

  private put(part: CellPart, name: string | null = null): void {
    if (part.image === undefined) this.listener.onText('stdout', `${part.text}\n`);
    else this.images.push(part);
    if (name !== null) this.named.set(name, part);
    if (this.named.size > MAX_NAMED) this.named.delete(this.named.keys().next().value!); // one that is updated later shows itself anew
    this.output.add(part);
  }

  private addError({ name, value, traceback }: Extract<CellEvent, { event: 'error' }>): void {
    const plain = stripVTControlCharacters(traceback).replace(/^-{20,}\n/, '');
    const cut = cutMiddle(plain, MAX_TRACEBACK);
    this.error ??= { name, value: stripVTControlCharacters(value), traceback: cut === '' ? undefined : cut };
    this.listener.onText('stderr', `${cut === '' ? `${name}: ${value}` : cut}\n`);
  }

  /** Lines without their end stand before what comes then. */
  private settle(): void {
    for (const type of ['stdout', 'stderr'] as const) {
      const text = this.lines[type].end();
      if (text !== '') this.output.add({ type, text });
    }
  }

  private clear(): void {
    this.clearsNext = false;
    this.output = new BoundedOutput();
    this.lines = { stdout: new SettledLines(), stderr: new SettledLines() };
    this.named = new Map();
    [this.images, this.imageCharacters, this.grown] = [[], 0, 0];
  }
}

const cutMiddle = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : `${text.slice(0, limit / 2)}\n… ${String(text.length - limit)} characters left out …\n${text.slice(-limit / 2)}`;
