import { randomFillSync } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const CHARACTERS = 26;

/** Randomness is drawn for many ids at once: a draw costs more than the bytes. */
const pool = Buffer.alloc(CHARACTERS * 128);
let used = pool.length;

const draw = (): Uint8Array => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += CHARACTERS;
  return pool.subarray(used - CHARACTERS, used);
};

/** An id nobody can guess: `call_`, `turn_`, `msg_`, `step_`, `req_` and 26 characters of base32 (128 bits and more). */
export const newId = (prefix: 'call' | 'turn' | 'msg' | 'step' | 'ses' | 'worker' | 'req'): string => {
  let id = `${prefix}_`;
  for (const byte of draw()) id += ALPHABET[byte & 31] ?? '';
  return id;
};
