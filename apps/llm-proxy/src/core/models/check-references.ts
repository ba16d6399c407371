import { OFFLINE_MODEL } from '@codelab/llm';
import { claimedType } from '../upstreams/upstream-types.js';
import type { ModelEntry, ModelsFile, RouteEntry } from './models-file.js';
import { nearestNames } from '@codelab/tools';

/** What the environment configures, and names of the file may refer to. */
export interface KnownUpstreams {
  readonly upstreams: readonly string[];
}

/** What the names of a file refer to and isn't there, a sentence each. The file's shape is right already. */
export function checkReferences(file: ModelsFile, known: KnownUpstreams): string[] {
  const upstreams = [...new Set([...Object.keys(file.upstreams), ...known.upstreams])];
  return [
    ...clashes(file),
    ...Object.entries(file.models).flatMap(([name, entry]) => checkModel(name, entry, upstreams)),
    ...Object.entries(file.aliases).flatMap(([alias, name]) => checkAlias(alias, name, { file, upstreams })),
    ...Object.entries(file.routes).flatMap(([name, route]) => checkRoute(name, route, { file, upstreams })),
  ];
}

interface Names {
  readonly file: ModelsFile;
  readonly upstreams: readonly string[];
}

/** A name can mean one thing only. */
function clashes({ models, aliases, routes }: ModelsFile): string[] {
  const twice = (group: string, name: string, what: string) => `${group}.${name} has the name of ${what}: give it another one.`;
  return [
    ...Object.keys(routes).flatMap((name) => (has(models, name) ? [twice('routes', name, 'a model')] : [])),
    ...Object.keys(aliases).flatMap((name) =>
      has(models, name) || has(routes, name) ? [twice('aliases', name, 'a model or a route')] : [],
    ),
  ];
}

function checkModel(name: string, { upstream, model }: ModelEntry, upstreams: readonly string[]): string[] {
  const path = `models.${name}`;
  const hint = suggest(upstream, upstreams) ?? 'add it to upstreams, or set its variables.';
  return [
    ...(upstreams.includes(upstream) ? [] : [`${path}.upstream names an upstream that is not there: ${hint}`]),
    ...(name.endsWith('*') && model !== undefined ? [`${path}.model can't be used: an entry that ends in * stands for many models.`] : []),
    ...(name.slice(0, -1).includes('*') ? [`${path} has a name that can't be: * stands at the end only.`] : []),
  ];
}

function checkAlias(alias: string, name: string, names: Names): string[] {
  const { file } = names;
  if (has(file.aliases, name)) return [`aliases.${alias} names another alias: write the name of a model or a route.`];
  return has(file.routes, name) ? [] : checkName(`aliases.${alias}`, name, names);
}

function checkRoute(route: string, { models, fallback = [] }: RouteEntry, names: Names): string[] {
  const { file } = names;
  const all = [
    ...models.map(({ model }, place) => [`routes.${route}.models[${String(place)}].model`, model] as const),
    ...fallback.map((model, place) => [`routes.${route}.fallback[${String(place)}]`, model] as const),
  ];
  return all.flatMap(([path, model]) => {
    const isOther = !has(file.models, model) && (has(file.routes, model) || has(file.aliases, model));
    return isOther ? [`${path} names a route or an alias: write the name of a model.`] : checkName(path, model, names);
  });
}

function checkName(path: string, name: string, { file, upstreams }: Names): string[] {
  if (isServed(name, file, upstreams)) return [];
  const known = [...Object.keys(file.models), ...Object.keys(file.routes), OFFLINE_MODEL];
  return [`${path} names a model that is not there: ${suggest(name, known) ?? 'add it to models.'}`];
}

/** Whether a name that is no alias and no route leads to an upstream. */
function isServed(name: string, { models, upstreams: entries }: ModelsFile, upstreams: readonly string[]): boolean {
  if (has(models, name) || name === OFFLINE_MODEL || name.startsWith(`${OFFLINE_MODEL}-`)) return true;
  if (Object.keys(models).some((key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))) return true;
  if (upstreams.some((upstream) => name.toLowerCase().startsWith(`${upstream}/`))) return true;
  const { type } = claimedType(name);
  if (type === undefined) return upstreams.length === 1;
  const ofType = upstreams.filter((upstream) => (entries[upstream]?.type ?? upstream) === type);
  return ofType.includes(type) || ofType.length === 1;
}

function suggest(name: string, among: readonly string[]): string | undefined {
  const nearest = nearestNames(name, among);
  return nearest.length === 0 ? undefined : `did you mean ${nearest.join(' or ')}?`;
}

const has = (record: object, name: string): boolean => Object.hasOwn(record, name);
