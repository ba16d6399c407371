import type { ModelRequest } from '@codelab/llm';

/**
 * What every model request of a turn begins with that a program started through llm-proxy: the caller's conversation, system prompt
 * included, and its settings. Stored as JSON in `NewChild.base`. A forced `toolChoice` counts for the first request only: it would never
 * let the turn end.
 */
export type StepBase = Omit<ModelRequest, 'model' | 'tools'>;
