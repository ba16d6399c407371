import type { IndexProgress, Place } from '@codelab/code-index';

/** What a worker is begun with. */
export interface IndexSetup {
  readonly root: string;
  /** The client's data, which no tool reaches. */
  readonly dataDir: string;
  /** Where the database lies. */
  readonly directory: string;
  /** The model of vectors; without it there are none. */
  readonly embeddings?: { readonly model: string; readonly budget: number } | undefined;
}

/** How far an index is, and what it takes. */
export interface IndexStatus extends IndexProgress {
  readonly files: number;
  readonly chunks: number;
  readonly vectors: number;
  /** Of the database. */
  readonly bytes: number;
}

/** What can be asked of a worker, and what it answers. */
export interface IndexRequests {
  search: [
    args: { readonly query: string; readonly limit: number; readonly patienceMs: number },
    answer: { readonly hits: readonly Place[]; readonly note?: string | undefined },
  ];
  map: [
    args: { readonly directory: string; readonly maxTokens: number; readonly patienceMs: number },
    answer: { readonly text: string; readonly note?: string | undefined },
  ];
  /** Waits until the index is up to date. */
  update: [args: { readonly patienceMs: number }, answer: IndexStatus];
  rebuild: [args: Record<never, never>, answer: IndexStatus];
  status: [args: Record<never, never>, answer: IndexStatus];
  close: [args: Record<never, never>, answer: Record<never, never>];
}

/** From the client to the worker. */
export type ToWorker =
  | {
      [Kind in keyof IndexRequests]: { readonly id: number; readonly kind: Kind; readonly args: IndexRequests[Kind][0] };
    }[keyof IndexRequests]
  | { readonly kind: 'touch'; readonly paths: readonly string[] | undefined }
  | { readonly kind: 'embedded'; readonly id: number; readonly vectors?: readonly (readonly number[])[]; readonly fault?: string };

/** From the worker to the client. */
export type FromWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'fault'; readonly id: number; readonly message: string }
  | { readonly kind: 'embed'; readonly id: number; readonly texts: readonly string[] };
