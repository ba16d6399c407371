/** How long what a server said of its tools is remembered after it was last seen. */
export const TOOL_REVISIONS_TTL_MS = 400 * 24 * 60 * 60 * 1000;

/**
 * Since when tools that others describe are what they are. A rule that a human made counts for the tool that they saw: what a server says of
 * it later is another tool (H2). Shared by all runtimes, so that one that starts doesn't take a change for a beginning.
 */
export interface ToolRevisions {
  /**
   * Notes what a server says of its tools now.
   *
   * @param server its name in the configuration
   * @param digests of everything that it says of each tool, by the tool's name
   * @returns when each was first seen with this digest, in Unix milliseconds. One that was never seen is new now. Throws `BusError` when Redis
   * is away
   */
  note(server: string, digests: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, number>>;
}
