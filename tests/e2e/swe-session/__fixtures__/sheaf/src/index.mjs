export { SheafError } from './errors.mjs';
export { parse } from './parse.mjs';
export { parseStream } from './stream.mjs';
export { stringify } from './stringify.mjs';
export { pick, rename } from './columns.mjs';
export { summarise } from './summary.mjs';
