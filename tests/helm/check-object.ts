/** A Kubernetes object, as it stands in a manifest. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

interface Attribute {
  readonly baseName: string;
  readonly type: string;
}

interface Model {
  getAttributeTypeMap(): readonly Attribute[];
}

/** The classes of the kinds that the chart makes, as the official client has them, generated from the API's OpenAPI. */
const MODELS: Readonly<Record<string, string>> = {
  'v1 ConfigMap': 'V1ConfigMap',
  'v1 Secret': 'V1Secret',
  'v1 Service': 'V1Service',
  'v1 ServiceAccount': 'V1ServiceAccount',
  'apps/v1 Deployment': 'V1Deployment',
  'autoscaling/v2 HorizontalPodAutoscaler': 'V2HorizontalPodAutoscaler',
  'networking.k8s.io/v1 Ingress': 'V1Ingress',
  'networking.k8s.io/v1 NetworkPolicy': 'V1NetworkPolicy',
  'policy/v1 PodDisruptionBudget': 'V1PodDisruptionBudget',
};

/** Kinds of others, whose schemas no package has for this Node.js: their fields are looked at by tests of their own. */
const FOREIGN = new Set(['keda.sh/v1alpha1 ScaledObject', 'monitoring.coreos.com/v1 PodMonitor']);

const PRIMITIVES = new Set(['string', 'number', 'boolean']);

/**
 * What is wrong with an object, by the API's schemas: fields that the API doesn't know (it would drop them in silence), values of another type,
 * and what is required, allowed or matched by a pattern.
 */
export async function checkObject(object: KubeObject): Promise<readonly string[]> {
  const name = `${object.apiVersion} ${object.kind}`;
  if (FOREIGN.has(name)) return [];
  const model = MODELS[name];
  if (model === undefined) return [`${name}: the API has no such kind, or tests/helm/check-object.ts doesn't know it`];
  return [...(await checkFields(object, model, object.kind)), ...(await checkSchema(object))];
}

async function checkFields(value: unknown, type: string, path: string): Promise<readonly string[]> {
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (list !== undefined) {
    if (!Array.isArray(value)) return [`${path}: not a list`];
    return (await Promise.all(value.map((item, at) => checkFields(item, list, `${path}[${at}]`)))).flat();
  }
  if (type === 'any' || type === 'IntOrString' || type === 'Date' || type === 'V1MicroTime') return [];
  if (PRIMITIVES.has(type)) return typeof value === type ? [] : [`${path}: ${typeof value} where the API wants ${type}`];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: not an object`];
  if (map !== undefined)
    return (await Promise.all(Object.entries(value).map(([key, item]) => checkFields(item, map, `${path}.${key}`)))).flat();
  const attributes = new Map((await loadModel(type)).getAttributeTypeMap().map((attribute) => [attribute.baseName, attribute.type]));
  const found = Object.entries(value).map(async ([key, item]) => {
    const of = attributes.get(key);
    return of === undefined ? [`${path}.${key}: the API has no such field`] : await checkFields(item, of, `${path}.${key}`);
  });
  return (await Promise.all(found)).flat();
}

async function loadModel(type: string): Promise<Model> {
  const module = (await import(`@kubernetes/client-node/dist/gen/models/${type}.js`)) as Readonly<Record<string, Model>>;
  return module[type]!;
}

async function checkSchema(object: KubeObject): Promise<readonly string[]> {
  const { apiVersion, kind } = object;
  const module = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Readonly<
    Record<string, new (data: object) => { validate(): void }>
  >;
  try {
    new module[kind]!(object).validate();
    return [];
  } catch (error) {
    return [`${kind} ${object.metadata.name}: ${(error as Error).message}`];
  }
}
