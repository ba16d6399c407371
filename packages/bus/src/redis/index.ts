export type { BusLogger } from './connection/bus-logger.js';
export { connectBus, createBus, type Bus, type BusHealth, type BusOptions } from './create-bus.js';
export type { BusStatus } from './connection/redis-commands.js';
export { REDIS_KEYS, type KeyReference } from './key-reference.js';
