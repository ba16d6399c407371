export {
  startScriptedProvider,
  type ChatRequest,
  type RecordedRequest,
  type Reply,
  type Script,
  type ScriptedCall,
  type ScriptedProvider,
} from './scripted-provider.js';
export { verifies } from './verifies.js';
export { eventually } from './eventually.js';
export { startRedis, type TestRedis, type TestRedisOptions } from './start-redis.js';
export { startWsPeer, type FrameFilter, type PeerConnection, type PeerFrame, type WsPeer } from './ws-peer.js';
export { FakeClock } from './fake-clock.js';
export { SimulatedSession, type NewEntry, type SimulatedFacts } from './simulated-session.js';
export { watchLeaks } from './leaks.js';
export { LinkedTransport } from './linked-transport.js';
