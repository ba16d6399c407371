export { findLocalStack, readStackFile, stackFileOf } from './find-local-stack.js';
export { holdStack } from './hold-stack.js';
export { parseStackRecord, type GatewayInfo, type ServiceInfo, type StackInfo, type StackRecord } from './stack-record.js';
