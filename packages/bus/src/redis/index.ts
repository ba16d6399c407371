export type { BusLogger } from './bus-logger.js';
export { connectBus, createBus, type Bus, type BusHealth, type BusOptions } from './create-bus.js';
export type { BusStatus } from './redis-commands.js';
export { REDIS_KEYS, type KeyReference } from './key-reference.js';
