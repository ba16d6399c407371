import { createHash } from 'node:crypto';

/** What both vendors take as a tool's name. */
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;

/** Stands for a name that was left blank in a history, which no declared tool can have. */
const BLANK = 'unnamed_tool';

/**
 * Maps the tool names of one request to names that providers take, and back (F9). Two names never become one: a name that would
 * collide, or is too long, ends in a hash of its own. Legal names stay as they are.
 */
export class ToolNames {
  readonly #toWire = new Map<string, string>();
  readonly #fromWire = new Map<string, string>();

  /** @param names every name that the request declares, uses in its history or chooses. */
  constructor(names: Iterable<string>) {
    const all = [...new Set(names)];
    for (const name of all.filter((name) => LEGAL.test(name))) this.#add(name, name);
    for (const name of all.filter((name) => !LEGAL.test(name))) this.#add(name, this.#invent(name));
  }

  /** The legal name of `name`. A name that the constructor was not given goes as it is. */
  toWire(name: string): string {
    return this.#toWire.get(name) ?? name;
  }

  /** The name that became `wire`; a name that a model made up comes back as it is. */
  fromWire(wire: string): string {
    return this.#fromWire.get(wire) ?? wire;
  }

  /** Whether `wire` is one of the names that were sent. */
  knows(wire: string): boolean {
    return this.#fromWire.has(wire);
  }

  #add(name: string, wire: string): void {
    this.#toWire.set(name, wire);
    this.#fromWire.set(wire, name);
  }

  #invent(name: string): string {
    const cleaned = name.trim() === '' ? BLANK : name.replace(/[^a-zA-Z0-9_-]/g, '_');
    if (cleaned.length <= 64 && !this.#fromWire.has(cleaned)) return cleaned;
    return `${cleaned.slice(0, 55)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  }
}
