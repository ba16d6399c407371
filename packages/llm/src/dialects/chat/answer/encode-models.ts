import type { ListedModel } from '../../dialect.js';

/** Nobody tells us when a model came out. */
const CREATED = 0;

export const encodeModel = ({ id, upstream, displayName, contextTokens, maxOutputTokens }: ListedModel): object => ({
  ...{ id, object: 'model', created: CREATED, owned_by: upstream },
  ...{ display_name: displayName, context_window: contextTokens, context_length: contextTokens, max_output_tokens: maxOutputTokens },
});

export const encodeModels = (models: readonly ListedModel[]): object => ({ object: 'list', data: models.map(encodeModel) });
