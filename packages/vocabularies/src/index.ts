export { fitArguments, type FittedArguments } from './arguments/fit-arguments.js';
export { readArguments } from './arguments/read-arguments.js';
export * from './table/composite.js';
export * from './table/paths.js';
export * from './table/row.js';
export * from './table/takes.js';
export * from './table/use-context.js';
export * from './table/vocabulary.js';
