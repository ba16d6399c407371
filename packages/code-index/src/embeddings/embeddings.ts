/** What makes vectors of texts: similar meaning, near vectors. Whoever hands it in knows the endpoint and its key. */
export interface EmbeddingsClient {
  /** Names the model; vectors of another one are thrown away. */
  readonly model: string;
  /**
   * One vector for each text, in their order.
   *
   * @throws where the endpoint fails; the search then goes by words alone
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** A vector in a byte each, of length 127: a hundredth is lost of what it says, and three quarters of its room. */
export function toBytes(vector: readonly number[]): Int8Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value / length)), 0) || 1;
  return Int8Array.from(vector, (value) => Math.round((value / length / largest) * 127));
}
