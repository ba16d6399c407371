export { judge, PROMISES, type Expectations } from './judge.js';
export type { Promised, Violation } from './violation.js';
