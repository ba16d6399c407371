import { createHash } from 'node:crypto';

/** Both vendors' limit. */
const MAX_LENGTH = 64;
const ILLEGAL = /[^a-zA-Z0-9_-]/;

/** Stands for a name that was left blank in a history, which no declared tool can have. */
const BLANK = 'unnamed_tool';

/** Whether a provider takes `name` as it is. */
export function isLegalToolName(name: string, maxLength = MAX_LENGTH): boolean {
  return name !== '' && name.length <= maxLength && !ILLEGAL.test(name);
}

/**
 * Maps the tool names of one request to names that providers take, and back (F9). Two names never become one: a name that would
 * collide, or is too long, ends in a hash of its own. Legal names stay as they are.
 */
export class ToolNames {
  private readonly toWireNow = new Map<string, string>();
  private readonly fromWireNow = new Map<string, string>();
  private readonly maxLength: number;

  /**
   * @param names every name that the request declares, uses in its history or chooses
   * @param maxLength where the server takes less than the vendors; at least 10
   */
  constructor(names: Iterable<string>, maxLength = MAX_LENGTH) {
    this.maxLength = maxLength;
    const illegal: string[] = [];
    for (const name of new Set(names)) {
      if (isLegalToolName(name, maxLength)) this.add(name, name);
      else illegal.push(name);
    }
    for (const name of illegal) this.add(name, this.invent(name));
  }

  /** The legal name of `name`. A name that the constructor was not given goes as it is. */
  toWire(name: string): string {
    return this.toWireNow.get(name) ?? name;
  }

  /** The name that became `wire`; a name that a model made up comes back as it is. */
  fromWire(wire: string): string {
    return this.fromWireNow.get(wire) ?? wire;
  }

  /** Whether `wire` is one of the names that were sent. A longer one is none, and not looked up: it may come in many pieces. */
  knows(wire: string): boolean {
    return wire.length <= this.maxLength && this.fromWireNow.has(wire);
  }

  private add(name: string, wire: string): void {
    this.toWireNow.set(name, wire);
    this.fromWireNow.set(wire, name);
  }

  private invent(name: string): string {
    const cleaned = name.trim() === '' ? BLANK : name.replace(new RegExp(ILLEGAL, 'g'), '_');
    let wire = cleaned;
    // the first hash is free, but for names made to collide
    for (let n = 0; wire.length > this.maxLength || this.fromWireNow.has(wire); n++) {
      wire = `${cleaned.slice(0, this.maxLength - 9)}_${hash(n === 0 ? name : `${name}\n${n}`)}`;
    }
    return wire;
  }
}

/** 8 hex digits. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
