import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { SignIns } from '@codelab/bus';

/** What a ticket looks like: 256 random bits. */
const TICKET = /^[A-Za-z0-9_-]{43}$/;

const IV_BYTES = 12;
const TAG_BYTES = 16;

const derive = (ticket: string, purpose: 'name' | 'key'): Buffer => createHash('sha256').update(`codelab ${purpose}\0${ticket}`).digest();

/**
 * Texts that only the bearer of a ticket can have: the ticket names the record and opens it, and is kept nowhere. So a token never stands in a
 * cookie, and Redis has it only sealed.
 */
export class SealedRecords {
  constructor(private readonly store: SignIns) {}

  /** @returns the ticket */
  async put(text: string, ttlMs: number): Promise<string> {
    const ticket = randomBytes(32).toString('base64url');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', derive(ticket, 'key'), iv);
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    await this.store.keep(nameOf(ticket), sealed.toString('base64'), ttlMs);
    return ticket;
  }

  /** `undefined`: it is over, or never was. */
  async read(ticket: string): Promise<string | undefined> {
    return TICKET.test(ticket) ? open(ticket, await this.store.read(nameOf(ticket))) : undefined;
  }

  /** The same, once and never again. */
  async take(ticket: string): Promise<string | undefined> {
    return TICKET.test(ticket) ? open(ticket, await this.store.take(nameOf(ticket))) : undefined;
  }
}

const nameOf = (ticket: string): string => derive(ticket, 'name').toString('hex');

function open(ticket: string, sealed: string | undefined): string | undefined {
  const bytes = Buffer.from(sealed ?? '', 'base64');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', derive(ticket, 'key'), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined; // somebody has changed it
  }
}
