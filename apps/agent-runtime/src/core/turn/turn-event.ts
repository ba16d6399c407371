/** What a step did, for metrics and logs; counted once its commit has succeeded. Never holds content. */
export type TurnEvent =
  | { readonly kind: 'turn_started'; readonly turnId: string }
  | { readonly kind: 'turn_ended'; readonly turnId: string; readonly status: 'completed' | 'failed' | 'cancelled'; readonly code?: string }
  | { readonly kind: 'model_asked'; readonly stepId: string }
  | { readonly kind: 'model_answered'; readonly stepId: string }
  | { readonly kind: 'model_failed'; readonly stepId: string; readonly code: string }
  /** `outcome`: `ok` or the code of the error. */
  | { readonly kind: 'call_settled'; readonly callId: string; readonly toolName: string; readonly outcome: string }
  /** Something came in that the state has no place for; it was consumed without effect. */
  | { readonly kind: 'ignored'; readonly what: string; readonly id: string }
  /** The step threw; the turn was ended (R3). */
  | { readonly kind: 'fault'; readonly cause: unknown };
