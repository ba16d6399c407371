export { editMembers, replaceJson } from './edit-json.js';
export { GrowingJson, JsonBytes, keepText, RawJson, toJsonText } from './raw-json.js';
export { childrenOf, findJson, type FoundJson, type JsonChild, type JsonSpan } from './walk-json.js';
export { asList, asObject, asText, parseJson } from './read-json.js';
