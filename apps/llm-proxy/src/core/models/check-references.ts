import { OFFLINE_MODEL } from '@codelab/llm';
import { claimedType } from './claimed-type.js';
import type { ModelsFile } from './models-file.js';
import { nearestNames } from './nearest-names.js';

/** What a name of the file may refer to beside the file itself. */
export interface KnownUpstreams {
  /** Names of upstreams that the environment configures. */
  readonly upstreams: readonly string[];
}

/** What the names of a file refer to and isn't there, a sentence each. The file's shape is right already. */
export function checkReferences(file: ModelsFile, known: KnownUpstreams): string[] {
  const upstreams = [...new Set([...Object.keys(file.upstreams), ...known.upstreams])];
  const isModel = (name: string): boolean => isServed(name, file, upstreams);
  const names = [...Object.keys(file.models), ...Object.keys(file.routes), ...Object.keys(file.aliases), OFFLINE_MODEL];
  const near = (name: string, among: readonly string[]): string => {
    const nearest = nearestNames(name, among);
    return nearest.length === 0 ? '' : `: did you mean ${nearest.join(' or ')}?`;
  };
  const noModel = (name: string): string => `names a model that is not there${near(name, names) || ': add it to models'}`;
  return [
    ...clashes(file),
    ...Object.entries(file.models).flatMap(([name, { upstream, model }]) => [
      ...(upstreams.includes(upstream)
        ? []
        : [
            `models.${name}.upstream names an upstream that is not there${near(upstream, upstreams) || ': add it to upstreams, or set its variables'}.`,
          ]),
      ...(name.endsWith('*') && model !== undefined
        ? [`models.${name}.model can't be used: an entry that ends in * stands for many models.`]
        : []),
      ...(name.slice(0, -1).includes('*') ? [`models.${name} has a name that can't be: * stands at the end only.`] : []),
    ]),
    ...Object.entries(file.aliases).flatMap(([alias, name]) => {
      if (Object.hasOwn(file.aliases, name)) return [`aliases.${alias} names another alias: write the name of a model or a route.`];
      return Object.hasOwn(file.routes, name) || isModel(name) ? [] : [`aliases.${alias} ${noModel(name)}.`];
    }),
    ...Object.entries(file.routes).flatMap(([route, { models, fallback = [] }]) =>
      [
        ...models.map(({ model }, place) => [`routes.${route}.models[${String(place)}].model`, model] as const),
        ...fallback.map((model, place) => [`routes.${route}.fallback[${String(place)}]`, model] as const),
      ].flatMap(([path, model]) => {
        if (Object.hasOwn(file.routes, model) || Object.hasOwn(file.aliases, model))
          return [`${path} names a route or an alias: write the name of a model.`];
        return isModel(model) ? [] : [`${path} ${noModel(model)}.`];
      }),
    ),
  ];
}

/** A name can mean one thing only. */
function clashes({ models, aliases, routes }: ModelsFile): string[] {
  return [
    ...Object.keys(routes).flatMap((name) =>
      Object.hasOwn(models, name) ? [`routes.${name} has the name of a model: give it another one.`] : [],
    ),
    ...Object.keys(aliases).flatMap((name) =>
      Object.hasOwn(models, name) || Object.hasOwn(routes, name)
        ? [`aliases.${name} has the name of a model or a route: give it another one.`]
        : [],
    ),
  ];
}

/** Whether a name that is no alias and no route leads to an upstream. */
function isServed(name: string, { models, upstreams: entries }: ModelsFile, upstreams: readonly string[]): boolean {
  if (Object.hasOwn(models, name) || name === OFFLINE_MODEL || name.startsWith(`${OFFLINE_MODEL}-`)) return true;
  if (Object.keys(models).some((key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))) return true;
  if (upstreams.some((upstream) => name.toLowerCase().startsWith(`${upstream}/`))) return true;
  const { type } = claimedType(name);
  if (type === undefined) return upstreams.length === 1;
  const ofType = upstreams.filter((upstream) => (entries[upstream]?.type ?? upstream) === type);
  return ofType.includes(type) || ofType.length === 1;
}
