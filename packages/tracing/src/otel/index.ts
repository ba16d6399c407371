export { createTracing } from './create-tracing.js';
