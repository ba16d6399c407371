import type { ModelFact } from '@codelab/bus';
import { ApiError, defaultModel, knownWindow, OFFLINE_MODEL, USUAL_CONTEXT_TOKENS, type ListedModel, type ModelWindow } from '@codelab/llm';
import type { Upstreams } from '../upstreams/open-upstreams.js';
import type { Upstream } from '../upstreams/upstream.js';
import { claimedType, SERVER_TYPE_NAMES, UPSTREAM_TYPES, type ServerTypeName } from '../upstreams/upstream-types.js';
import type { ModelCatalog, Target } from './model-catalog.js';
import type { ModelEntry, ModelsFile, RouteEntry } from './models-file.js';
import { nearestNames } from '@codelab/tools';
import type { UpstreamModels } from './upstream-models.js';

export interface CatalogOptions {
  readonly upstreams: Pick<Upstreams, 'offline' | 'configured'>;
  readonly file: ModelsFile;
  /** What the upstreams say they have; without it only what is configured is known. */
  readonly listed?: Pick<UpstreamModels, 'of' | 'refresh'> & Partial<Pick<UpstreamModels, 'describe'>>;
  /** `CODELAB_MODEL`. */
  readonly defaultModel?: string;
  /** From 0 up to, not including, 1: draws the first model of a route. */
  readonly random: () => number;
}

/** The catalog of what the environment and the models file configure (docs/specification/llm-proxy.md#models). */
export function createCatalog(options: CatalogOptions): ModelCatalog {
  return new Catalog(options);
}

class Catalog implements ModelCatalog {
  readonly defaultModel: string;
  private readonly options: CatalogOptions;
  /** The beginnings that entries such as `gpt-5*` stand for, the longest first. */
  private readonly prefixes: readonly (readonly [prefix: string, entry: ModelEntry])[];

  constructor(options: CatalogOptions) {
    this.options = options;
    const { upstreams, file } = options;
    this.prefixes = Object.entries(file.models)
      .flatMap(([name, entry]) => (name.endsWith('*') ? [[name.slice(0, -1), entry] as const] : []))
      .toSorted(([a], [b]) => b.length - a.length);
    const has = (name: string) => upstreams.configured.some((upstream) => upstream.name === name);
    const usual = defaultModel(options.defaultModel, { openai: has('openai'), anthropic: has('anthropic') });
    const [listed] = Object.keys(file.models).filter((name) => !name.endsWith('*'));
    this.defaultModel = usual === OFFLINE_MODEL && options.defaultModel === undefined ? (listed ?? usual) : usual;
  }

  resolve(name: string): readonly [Target, ...Target[]] {
    const wanted = this.withoutAlias(name.trim() || this.defaultModel);
    const route = own(this.options.file.routes, wanted);
    return route ? this.draw(route) : [this.resolveModel(wanted)];
  }

  async refresh(): Promise<void> {
    await this.options.listed?.refresh();
  }

  list(): readonly ListedModel[] {
    const { models, routes, aliases } = this.options.file;
    const exact = Object.keys(models).filter((name) => !name.endsWith('*'));
    const names = new Set([this.defaultModel, ...exact, ...Object.keys(routes), ...Object.keys(aliases), OFFLINE_MODEL, ...this.listed()]);
    return [...names].flatMap((name) => this.find(name) ?? []);
  }

  /** What the upstreams have, by names that lead there: with the upstream's before it where the name alone leads elsewhere. */
  private *listed(): Generator<string, void, undefined> {
    const { upstreams, listed, file } = this.options;
    for (const upstream of upstreams.configured) {
      for (const model of listed?.of(upstream.name) ?? []) {
        const isTaken = Object.hasOwn(file.aliases, model) || Object.hasOwn(file.routes, model);
        const found = isTaken ? {} : this.findModel(model);
        const leadsThere = 'model' in found && found.upstream === upstream && found.model === model;
        yield leadsThere ? model : `${upstream.name}/${model}`;
      }
    }
  }

  find(name: string): ListedModel | undefined {
    const target = this.firstOf(name);
    return target && this.toListed(name.trim(), target);
  }

  windowOf(target: Target): ModelWindow {
    const { contextTokens = USUAL_CONTEXT_TOKENS, maxOutputTokens } = this.saidOf(target);
    return { contextTokens, maxOutputTokens };
  }

  facts(): readonly ModelFact[] {
    const named = [...this.list().map(({ id }) => id), ''].flatMap((name) => {
      const target = this.firstOf(name || this.defaultModel);
      return target === undefined ? [] : [this.toFact(name, target)];
    });
    return [...named, ...this.prefixes.map(([prefix, entry]) => this.toFact(`${prefix}*`, this.toTarget(prefix, entry)))];
  }

  /** Where a name leads first. */
  private firstOf(name: string): Target | undefined {
    const wanted = this.withoutAlias(name.trim());
    const first = own(this.options.file.routes, wanted)?.models[0]?.model ?? wanted;
    const target = first === '' ? undefined : this.findModel(first);
    return target && 'model' in target && !this.isStranger(first, target) ? target : undefined;
  }

  private toFact(name: string, target: Target): ModelFact {
    const { model, entry } = target;
    const { contextTokens, maxOutputTokens, displayName } = this.saidOf(target);
    const isMany = name.endsWith('*');
    return {
      ...{ name, model: isMany ? undefined : model, contextWindow: contextTokens, maxOutputTokens, displayName },
      vocabulary: entry.vocabulary === 'auto' ? undefined : entry.vocabulary,
    };
  }

  private toListed(id: string, target: Target): ListedModel {
    return { id, upstream: target.upstream.name, model: target.model, ...this.saidOf(target) };
  }

  /** What is known of a model, each part from whoever knows best. */
  private saidOf({ upstream, model, entry }: Target): Pick<ListedModel, 'displayName' | 'contextTokens' | 'maxOutputTokens'> {
    const listed = this.options.listed?.describe?.(upstream.name, model);
    const known = knownWindow(model);
    return {
      displayName: entry.display_name ?? listed?.displayName,
      contextTokens: entry.context_window ?? entry.context_tokens ?? listed?.contextTokens ?? known?.contextTokens,
      maxOutputTokens: entry.max_output_tokens ?? listed?.maxOutputTokens ?? known?.maxOutputTokens,
    };
  }

  private withoutAlias(name: string): string {
    return own(this.options.file.aliases, name) ?? name;
  }

  /** One model by weight, the others in their order, then the fallbacks; each once. */
  private draw({ models, fallback = [] }: RouteEntry): readonly [Target, ...Target[]] {
    const weights = models.map(({ weight = 1 }) => weight);
    let left = this.options.random() * weights.reduce((sum, weight) => sum + weight, 0);
    const drawn = Math.max(
      0,
      weights.findIndex((weight) => (left -= weight) < 0),
    ); // all weights 0: the first
    const names = models.map(({ model }) => model);
    const order = new Set([names[drawn]!, ...names, ...fallback]);
    return [...order].map((name) => this.resolveModel(name)) as [Target, ...Target[]]; // a route has a model: the file was validated
  }

  private resolveModel(name: string): Target {
    const found = this.findModel(name);
    if ('model' in found) return found;
    throw this.unknown(name, found.missing);
  }

  /** The model of a name that is no alias and no route, or the kind of upstream that it would need. */
  private findModel(name: string): Target | { readonly missing?: ServerTypeName } {
    const { upstreams, file } = this.options;
    const exact = own(file.models, name);
    if (exact) return this.toTarget(name, exact);
    if (UPSTREAM_TYPES.offline.models.test(name)) return { upstream: upstreams.offline, model: name, entry: {} };
    const matching = this.prefixes.find(([prefix]) => name.startsWith(prefix));
    if (matching) return this.toTarget(name, matching[1]);
    const { type, model } = claimedType(name);
    const named = this.byPrefix(name);
    if (named) return named;
    const upstream = type ? this.onlyOf(type) : (this.only() ?? this.whoLists(name) ?? this.takerOfAnyName());
    if (upstream) return this.describe(upstream, model);
    const isMissing = type !== undefined && !upstreams.configured.some((candidate) => candidate.type === type);
    return isMissing ? { missing: type } : {};
  }

  /** `groq/llama-4` is a model of the upstream that is called `groq`. */
  private byPrefix(name: string): Target | undefined {
    const slash = name.indexOf('/');
    const prefix = name.slice(0, Math.max(0, slash)).toLowerCase();
    const upstream = this.options.upstreams.configured.find((candidate) => candidate.name === prefix);
    return upstream && slash < name.length - 1 ? this.describe(upstream, name.slice(slash + 1)) : undefined;
  }

  /** With a prefix cut off, the file may still know the model. */
  private describe(upstream: Upstream, model: string): Target {
    const entry = own(this.options.file.models, model) ?? this.prefixes.find(([prefix]) => model.startsWith(prefix))?.[1];
    return { upstream, model, entry: entry?.upstream === upstream.name ? entry : {} };
  }

  private toTarget(name: string, entry: ModelEntry): Target {
    const upstream = this.options.upstreams.configured.find((candidate) => candidate.name === entry.upstream);
    return { upstream: upstream ?? this.options.upstreams.offline, model: entry.model ?? name, entry };
  }

  /** The upstream of a type: the one that is called like it, else the only one. */
  private onlyOf(type: ServerTypeName): Upstream | undefined {
    const all = this.options.upstreams.configured.filter((candidate) => candidate.type === type);
    return all.find((candidate) => candidate.name === type) ?? (all.length === 1 ? all[0] : undefined);
  }

  private only(): Upstream | undefined {
    const { configured } = this.options.upstreams;
    return configured.length === 1 ? configured[0] : undefined;
  }

  private whoLists(name: string): Upstream | undefined {
    const { upstreams, listed } = this.options;
    return upstreams.configured.find((upstream) => listed?.of(upstream.name).includes(name));
  }

  /** The compatible server beside vendors whose names are known, such as Ollama beside Anthropic: `openai`, else the only one. */
  private takerOfAnyName(): Upstream | undefined {
    const all = this.options.upstreams.configured.filter(({ takesAnyName }) => takesAnyName === true);
    return all.find(({ name }) => name === 'openai') ?? (all.length === 1 ? all[0] : undefined);
  }

  /** Whether a name is only passed on to a server that takes any, and that says which it has: this is none of them. */
  private isStranger(name: string, { upstream, model, entry }: Target): boolean {
    const { upstreams, listed } = this.options;
    const isPassedOn =
      upstreams.configured.length > 1 && upstream === this.takerOfAnyName() && model === name && entry.upstream === undefined;
    if (!isPassedOn || name === this.defaultModel || claimedType(name).type !== undefined) return false;
    const known = listed?.of(upstream.name) ?? [];
    return known.length > 0 && !known.includes(name);
  }

  private unknown(name: string, missing: ServerTypeName | undefined): ApiError {
    const shown = JSON.stringify(name.slice(0, 100));
    const details = { param: 'model', code: 'model_not_found' };
    if (this.options.upstreams.configured.length === 0) {
      const all = SERVER_TYPE_NAMES.map((type) => UPSTREAM_TYPES[type].server.remedy).join(', or ');
      const what = `No upstream is configured for the model ${shown}: set ${all} for llm-proxy, or use the built-in model "${OFFLINE_MODEL}".`;
      return new ApiError('not_found', what, details);
    }
    if (missing) {
      const what = `No upstream for the model ${shown} is configured: set ${UPSTREAM_TYPES[missing].server.remedy} for llm-proxy, or give the model an upstream in codelab.models.yaml.`;
      return new ApiError('not_found', what, details);
    }
    const nearest = nearestNames(
      name,
      this.list().map(({ id }) => id),
    );
    const names =
      nearest.length === 0
        ? 'GET /v1/models lists what there is.'
        : `did you mean ${nearest.map((near) => JSON.stringify(near)).join(', ')}?`;
    const upstreams = this.options.upstreams.configured.map((upstream) => `"${upstream.name}/…"`).join(', ');
    return new ApiError(
      'not_found',
      `There is no model ${shown}: ${names} A name may begin with that of an upstream: ${upstreams}.`,
      details,
    );
  }
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);
