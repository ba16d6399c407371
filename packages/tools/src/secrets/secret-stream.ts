import { findSecrets, type SecretSearch } from './find-secrets.js';
import { fingerprintOf, formatMask } from './mask.js';
import type { MaskedSecret } from './mask-secrets.js';
import { MAX_SECRET_CHARACTERS, MAX_SECRET_CONTEXT } from './secret-kinds.js';

/** Where the last word of a text begins, looking back so far as a secret may reach. */
const startOfLastWord = (text: string): number => {
  let at = text.length;
  while (at > 0 && text.length - at < MAX_SECRET_CHARACTERS && !/\s/.test(text[at - 1]!)) at -= 1;
  return at;
};

/** What a word needs to be the beginning of a secret: dots and bars of a progress display are none. */
const MAY_BEGIN = /[A-Za-z0-9:]/;
/** A private key may begin with dashes that come alone. */
const LAST_DASHES = /-{0,5}$/;
/** In characters. */
const READ_ANEW_FROM = 4_096;

/**
 * Masks the secrets of an output that comes in pieces (L1): all that `push` and `end` return, joined, is what `maskSecrets` would make of the
 * whole. It keeps back the last word, since a secret may be cut anywhere, and a private key until its end; never more than a bounded amount
 * (a key of 64 K characters, 12 K of a word).
 */
export class SecretStream {
  /** Raw text that was given out already, for what must stand before a secret, and after `done` characters what is kept back. */
  private text = '';
  private done = 0;
  /** A private key longer than what is kept goes on at `done`. */
  private continued = false;
  /** The length of `text` at which it is looked at again: what is kept back is not read anew for each byte that comes. */
  private enough = 0;
  private readonly seen = new Map<string, MaskedSecret>();

  /** @param known see `maskSecrets` */
  constructor(
    private readonly allowed: ReadonlySet<string>,
    private readonly known: readonly string[] = [],
  ) {}

  /** The secrets masked so far, each once. */
  get found(): readonly MaskedSecret[] {
    return [...this.seen.values()];
  }

  push(chunk: string): string {
    this.text += chunk;
    if (this.text.length < this.enough) return '';
    const search = this.search();
    const given = this.give(search, this.safeEnd(search));
    const kept = this.text.length - this.done;
    this.enough = kept > READ_ANEW_FROM ? this.text.length + kept / 4 : 0;
    return given;
  }

  /** What was kept back; nothing comes after it. */
  end(): string {
    return this.give(this.search(), this.text.length);
  }

  private search(): SecretSearch {
    return findSecrets(this.text, { from: this.done, continued: this.continued, known: this.known });
  }

  /** Up to where nothing that comes can change what is a secret. */
  private safeEnd({ secrets, openKey }: SecretSearch): number {
    const { text, done } = this;
    if (openKey !== undefined) return this.beforeSecret(secrets, openKey.at);
    const word = startOfLastWord(text);
    const safe = MAY_BEGIN.test(text.slice(word)) ? word : text.length - LAST_DASHES.exec(text.slice(-5))![0].length;
    return this.beforeSecret(secrets, Math.max(done, safe));
  }

  private beforeSecret(secrets: SecretSearch['secrets'], end: number): number {
    const cut = secrets.find((secret) => secret.start < end && secret.end > end);
    return cut === undefined ? end : cut.kind === 'private-key' ? cut.end : cut.start;
  }

  private give({ secrets, openKey }: SecretSearch, end: number): string {
    const parts: string[] = [];
    let position = this.done;
    for (const { start, end: secretEnd, kind } of secrets) {
      if (secretEnd > end) break;
      const secret = this.text.slice(start, secretEnd);
      parts.push(this.text.slice(position, start), this.maskOf(kind, secret));
      position = secretEnd;
    }
    parts.push(this.text.slice(position, end));
    this.continued = openKey?.continued === true && openKey.at === end;
    const kept = Math.max(0, end - MAX_SECRET_CONTEXT);
    this.text = copyOf(this.text.slice(kept));
    this.done = end - kept;
    return parts.join('');
  }

  private maskOf(kind: string, secret: string): string {
    const fingerprint = fingerprintOf(secret);
    if (this.allowed.has(fingerprint)) return secret;
    this.seen.set(fingerprint, { kind, fingerprint });
    return formatMask(kind, fingerprint);
  }
}

/** The same text in memory of its own. V8 makes a slice a view: a short rest would keep the whole piece that it was cut from. */
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');
