import type { EmbeddingInput } from './read-embeddings.js';

/** Numbers of a vector, unless the caller wants fewer. */
export const OFFLINE_DIMENSIONS = 256;

/** A part of a word says less than the word. */
const PART_WEIGHT = 0.4;
const PART_CHARACTERS = 3;

/** Words, and the words that names of programs are made of: `readFileSync` is `read`, `file` and `sync`. */
const WORDS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu;

/**
 * The built-in embedding: a text's words and their parts of three characters, each added to one place of the vector that its hash names, with
 * the sign that its hash names; then scaled to length 1. Texts that share words are near each other; of meaning it knows nothing. The same text
 * gives the same vector everywhere.
 */
export function hashEmbedding(input: EmbeddingInput, dimensions = OFFLINE_DIMENSIONS): Float32Array {
  const counts = new Map<number, number>();
  const add = (hash: number, weight: number) => counts.set(hash, (counts.get(hash) ?? 0) + weight);
  if (typeof input !== 'string') for (const token of input) add(hashOf(`#${String(token)}`), 1);
  else {
    for (const [found] of input.matchAll(WORDS)) {
      const word = found.toLowerCase();
      add(hashOf(word), 1);
      const padded = ` ${word} `;
      for (let at = 0; at + PART_CHARACTERS <= padded.length; at += 1) add(hashOf(padded.slice(at, at + PART_CHARACTERS)), PART_WEIGHT);
    }
    if (counts.size === 0) for (const character of input) add(hashOf(character), 1);
  }
  const vector = new Float32Array(dimensions);
  for (const [hash, count] of counts) {
    const place = hash % dimensions;
    vector[place]! += (hash & 0x8000_0000 ? -1 : 1) * (1 + Math.log(1 + count)); // what is said ten times counts little more than once
  }
  return scaled(vector);
}

/** FNV-1a of 32 bits over UTF-16, with its bits mixed once more: neighbouring words must not fall side by side. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function scaled(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1; // every place was cancelled by another one
  else for (const [place, value] of vector.entries()) vector[place] = value / length;
  return vector;
}
