export * from './table/composite.js';
export * from './table/paths.js';
export * from './table/row.js';
export * from './table/use-context.js';
export * from './table/vocabulary.js';
