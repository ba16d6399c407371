import { PROTOCOL_VERSIONS, type ProtocolVersion } from './frames/hello.frame.js';

/** The highest version that both sides speak, or nothing. */
export const pickProtocolVersion = (offered: readonly string[]): ProtocolVersion | undefined =>
  [...PROTOCOL_VERSIONS].reverse().find((version) => offered.includes(version));
