/**
 * The arguments of one call, as they come in pieces. Whether they are whole may be asked after each piece: every character is looked at
 * once, and the whole is parsed at most once, however often that is.
 */
export class CallArguments {
  private readonly pieces: string[] = [];
  private sent = 0;
  /** How many pieces the scan has seen; they are scanned only where somebody asks. */
  private scanned = 0;
  private readonly scan = new ObjectScan();
  /** Whether the last piece ends as an object does. */
  private mayEnd = false;
  private isJson: boolean | undefined;

  add(piece: string): void {
    if (piece === '') return;
    this.pieces.push(piece);
    this.mayEnd = piece.trimEnd().endsWith('}');
  }

  /** Whether nothing came yet. */
  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  /** Gives each piece once. */
  takeUnsent(): readonly string[] {
    const unsent = this.pieces.slice(this.sent);
    this.sent = this.pieces.length;
    return unsent;
  }

  /** Whether the arguments so far are a whole JSON object with something in it, and the last piece ended it. */
  get isFinished(): boolean {
    if (!this.mayEnd) return false;
    while (this.scanned < this.pieces.length) this.scan.add(this.pieces[this.scanned++] ?? '');
    if (this.scan.state !== 'closed') return false;
    // an object that closed stays what it is, or is broken by what follows
    return (this.isJson ??= isFilledJson(this.pieces.join('').trim()));
  }
}

/** Finds where a JSON object closes, by its brackets only: whether it is JSON is not looked at. */
class ObjectScan {
  /** `broken`: no object, or more than one. Then no more text makes it one. */
  state: 'before' | 'inside' | 'closed' | 'broken' = 'before';
  private depth = 0;
  private isText = false;
  private isEscaped = false;

  add(piece: string): void {
    for (let at = 0; at < piece.length && this.state !== 'broken'; at++) {
      const character = piece.charAt(at);
      if (this.state === 'inside') this.addInside(character);
      else if (character.trim() !== '') this.begin(character);
    }
  }

  private begin(character: string): void {
    this.state = this.state === 'before' && character === '{' ? 'inside' : 'broken';
    this.depth = 1;
  }

  private addInside(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (this.isText) {
      this.isEscaped = character === '\\';
      this.isText = character !== '"';
    } else if (character === '"') this.isText = true;
    else if (character === '{' || character === '[') this.depth++;
    else if ((character === '}' || character === ']') && --this.depth === 0) this.state = 'closed';
  }
}

function isFilledJson(text: string): boolean {
  try {
    return text !== '{}' && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
