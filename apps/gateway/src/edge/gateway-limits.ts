import { LIMITS } from '@codelab/protocol';
import type { GatewayLimits } from '../core/gateway-ports.js';
import type { GatewayConfig } from './config.js';

/** Bytes handed to a socket that it has not written yet; more waits where it can still be coalesced or left out. */
const WINDOW_BYTES = 256 * 1024;
/** A client that is being written may get much wrong at once; one that goes on so is broken or hostile. */
const BAD_FRAMES = 500;
const BAD_FRAME_REFILL_MS = 100;

/** The bounds of one connection. */
export const toGatewayLimits = ({ outboxFrames, outboxBytes, stalledMs }: GatewayConfig): GatewayLimits => ({
  outbox: { maxFrames: outboxFrames, maxBytes: outboxBytes, windowBytes: WINDOW_BYTES },
  stalledMs,
  authTimeoutMs: LIMITS.AUTH_TIMEOUT_MS,
  seedAfterMs: LIMITS.SEED_AFTER_MS,
  badFrames: BAD_FRAMES,
  badFrameRefillMs: BAD_FRAME_REFILL_MS,
});
