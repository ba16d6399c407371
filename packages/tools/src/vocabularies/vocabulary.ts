import type { JsonSchema } from '@codelab/protocol';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { toModelName, toToolName } from './model-names.js';

/** A tool as a model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** What a model calls the tools, and the way back (docs/specification/tools.md#vocabularies). Two tools never have one name. */
export interface Vocabulary {
  readonly name: string;
  readonly toModelTools: (tools: readonly ToolDefinition[]) => ModelTool[];
  /** The tool that a model means, by its name on the wire; `undefined` if there can be none of this name. */
  readonly toCanonical: (modelName: string) => string | undefined;
  /** The name of a tool for the model: 1 to 64 of `[a-zA-Z0-9_-]`, which every provider takes. */
  readonly toModelName: (canonical: string) => string;
}

/** The default vocabulary: the canonical tools with their own arguments, under names that providers take. */
export const codelabVocabulary: Vocabulary = {
  name: 'codelab',
  toModelTools: (tools) => tools.map(({ name, description, parameters }) => ({ name: toModelName(name), description, parameters })),
  toCanonical: toToolName,
  toModelName,
};
