export { fileKind, readYamlFile, YamlError, type FileKind, type PlacedProblem, type ReadFile } from './read-yaml-file.js';
export { baseUrl, byName, flag, milliseconds, object, text, texts, variable } from './schema-parts.js';
export type { FileWords, Problem } from './tell-problem.js';
export { isFor } from './tools-file/audience.js';
export type { ReadVariable } from './tools-file/check-entries.js';
export { NO_TOOLS_FILE, parseToolsFile, ToolsFileError, type ParsedToolsFile } from './tools-file/parse-tools-file.js';
export { fillReferences, referencesIn, type Reference } from './tools-file/references.js';
export type {
  Audience,
  ClientCredentials,
  EntryPolicy,
  McpServerEntry,
  SearchEntry,
  SecretEntry,
  ToolsFile,
  UrlToolEntry,
} from './tools-file/tools-file.js';
