export type { BusLogger } from './connection/bus-logger.js';
export { connectBus, createBus, type Bus, type BusHealth, type BusOptions } from './create-bus.js';
export { inspectStore } from './inspection/inspect-store.js';
export type { BusStatus } from './connection/redis-commands.js';
export { KEY_KINDS } from './keys/key-kinds.js';
export { matchKey, type KeyKind } from './keys/key-kind.js';
