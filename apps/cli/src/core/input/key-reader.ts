import type { Key } from './key.js';

const PASTE_BEGIN = '\x1b[200~';
const PASTE_END = '\x1b[201~';
const FOCUS_IN = '\x1b[I';
const FOCUS_OUT = '\x1b[O';
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /^\x1b(?:\[[0-9;<>?]*[ -/]*[@-~]|O[ -~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[P_^X][^\x1b]*\x1b\\)/;
// oxlint-disable-next-line no-control-regex
const UNFINISHED = /^\x1b(?:\[[0-9;<>?]*[ -/]*|O|\][^\x07\x1b]*\x1b?|[P_^X][^\x1b]*\x1b?)?$/;

type Name = Extract<Key, { kind: 'named' }>['name'];

const SEQUENCES: Readonly<Record<string, Name>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  '[1~': 'home',
  '[7~': 'home',
  '[4~': 'end',
  '[8~': 'end',
  '[3~': 'delete',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[Z': 'backtab',
  '[1;5D': 'word-left',
  '[1;5C': 'word-right',
  '[1;3D': 'word-left',
  '[1;3C': 'word-right',
  '[13;2u': 'newline',
  '[27;2;13~': 'newline',
  '[13;3u': 'alt-enter',
  '[27;3;13~': 'alt-enter',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
};
const AFTER_ESCAPE: Readonly<Record<string, Name>> = {
  '\r': 'alt-enter',
  '\n': 'alt-enter',
  b: 'word-left',
  f: 'word-right',
  '\x7f': 'kill-word',
  '\b': 'kill-word',
};
const CONTROLS: Readonly<Record<string, Name>> = { '\r': 'enter', '\n': 'newline', '\t': 'tab', '\x7f': 'backspace', '\b': 'backspace' };

/**
 * Reads keys out of what a raw terminal sends, in pieces of any size. A lone escape can't be told from the beginning of a sequence: the
 * caller calls `flush` when nothing has followed for a moment.
 */
export class KeyReader {
  private rest = '';
  private pasted: string | undefined;

  /** Whether something was begun that `flush` would end. */
  get waiting(): boolean {
    return this.rest !== '' && this.pasted === undefined;
  }

  push(text: string): readonly Key[] {
    this.rest += text;
    const keys: Key[] = [];
    while (this.rest !== '') {
      const key = this.pasted === undefined ? this.next() : this.nextOfPaste();
      if (key === 'more') break;
      if (key) keys.push(key);
    }
    return keys;
  }

  flush(): readonly Key[] {
    if (!this.waiting) return [];
    const [first, ...others] = this.rest;
    this.rest = '';
    return first === '\x1b' ? [{ kind: 'named', name: 'escape' }, ...this.push(others.join(''))] : [];
  }

  private nextOfPaste(): Key | 'more' {
    const end = this.rest.indexOf(PASTE_END);
    if (end === -1) {
      const kept = PASTE_END.length - 1;
      this.pasted += this.rest.slice(0, -kept);
      this.rest = this.rest.slice(-kept);
      return 'more';
    }
    const text = (this.pasted! + this.rest.slice(0, end)).replace(/\r\n?/g, '\n');
    this.rest = this.rest.slice(end + PASTE_END.length);
    this.pasted = undefined;
    return { kind: 'paste', text };
  }

  private next(): Key | 'more' | undefined {
    if (this.rest.startsWith(PASTE_BEGIN)) {
      this.rest = this.rest.slice(PASTE_BEGIN.length);
      this.pasted = '';
      return undefined;
    }
    if (this.rest.startsWith('\x1b')) return this.nextSequence();
    const character = this.take(String.fromCodePoint(this.rest.codePointAt(0)!).length);
    const name = CONTROLS[character];
    if (name) return { kind: 'named', name };
    if (character < ' ') return { kind: 'control', letter: String.fromCharCode(character.charCodeAt(0) + 0x60) };
    return { kind: 'text', text: character };
  }

  private nextSequence(): Key | 'more' | undefined {
    const sequence = SEQUENCE.exec(this.rest)?.[0];
    if (sequence) {
      this.take(sequence.length);
      if (sequence === FOCUS_IN || sequence === FOCUS_OUT) return { kind: 'focus', focused: sequence === FOCUS_IN };
      const name = SEQUENCES[sequence.slice(1)];
      return name && { kind: 'named', name };
    }
    if (UNFINISHED.test(this.rest)) return 'more';
    const name = AFTER_ESCAPE[this.rest[1]!];
    this.take(name ? 2 : 1);
    return { kind: 'named', name: name ?? 'escape' };
  }

  private take(length: number): string {
    const taken = this.rest.slice(0, length);
    this.rest = this.rest.slice(length);
    return taken;
  }
}
