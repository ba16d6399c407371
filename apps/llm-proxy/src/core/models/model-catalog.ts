import type { ModelFact } from '@codelab/bus';
import type { ListedModel, ModelWindow } from '@codelab/llm';
import type { ModelEntry } from './models-file.js';
import type { Upstream } from '../upstreams/upstream.js';

/** One model of one upstream that a request may go to. */
export interface Target {
  readonly upstream: Upstream;
  /** The upstream's name of the model. */
  readonly model: string;
  /** What the models file says of it; `{}` without. */
  readonly entry: Partial<ModelEntry>;
}

/** The models that can be asked, by the names that callers use. */
export interface ModelCatalog {
  /** Asked when a request names none. */
  readonly defaultModel: string;
  /**
   * Where a request for `name` goes: the first target, then its fallbacks in order. Throws `ApiError`: `not_found` (code
   * `model_not_found`) with the nearest names, or saying what to set where no upstream is configured.
   *
   * @param name empty: the default
   */
  resolve(name: string): readonly [Target, ...Target[]];
  /** Asks the upstreams what they have, where that isn't known; takes two seconds at most, and never fails. */
  refresh(): Promise<void>;
  /** Every name that is configured, then those that the upstreams were last known to have. */
  list(): readonly ListedModel[];
  /** What a target reads and writes: as the models file says, else its upstream, else by its family. */
  windowOf(target: Target): ModelWindow;
  /** What sessions are told of the models, by every name that leads to one; `''` is the default, names that end in `*` stand for many. */
  facts(): readonly ModelFact[];
  /** One model by the name that a caller uses, whether or not it is listed; `undefined`: nothing serves it. */
  find(name: string): ListedModel | undefined;
}
