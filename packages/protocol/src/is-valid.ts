import { getMetadataStorage, ValidationTypes, type MetadataStorage } from 'class-validator';
import type { Body } from './fields.js';

type Metadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];
type Check = (object: object, value: unknown) => boolean;

interface CheckedProperty {
  readonly name: string;
  /** Unless all hold the property isn't looked at. */
  readonly conditions: readonly Check[];
  readonly checks: readonly Check[];
}

const CHECKED = new WeakMap<object, readonly CheckedProperty[]>();

/**
 * Whether class-validator finds nothing in an instance (`validateSync` with `forbidUnknownValues: false`). It asks the same constraints, but
 * reads the metadata of a class once, where class-validator searches and groups those of all classes at each call.
 */
export function isValid(instance: object): boolean {
  for (const { name, conditions, checks } of propertiesOf(instance.constructor as Body)) {
    const value: unknown = instance[name as keyof typeof instance];
    if (conditions.every((holds) => holds(instance, value)) && !checks.every((holds) => holds(instance, value))) return false;
  }
  return true;
}

const propertiesOf = (target: Body): readonly CheckedProperty[] => {
  const known = CHECKED.get(target);
  if (known !== undefined) return known;
  const storage = getMetadataStorage();
  const byName = storage.groupByPropertyName(storage.getTargetValidationMetadatas(target, '', false, false));
  const properties = Object.entries(byName).map(([name, metadatas]) => {
    const of = (kind: string): Metadata[] => metadatas.filter(({ type }) => type === kind);
    return {
      name,
      conditions: of(ValidationTypes.CONDITIONAL_VALIDATION).map(({ constraints }) => constraints[0] as Check),
      checks: [
        ...of(ValidationTypes.CUSTOM_VALIDATION).flatMap((metadata) => constraintsOf(storage, metadata)),
        ...of(ValidationTypes.NESTED_VALIDATION).map((): Check => (_, value) => isNestedValid(value)),
      ],
    };
  });
  CHECKED.set(target, properties);
  return properties;
};

/** Whatever a decorator asks of a value, or of `each` item of it. */
const constraintsOf = (storage: MetadataStorage, { constraintCls, constraints, propertyName, each }: Metadata): readonly Check[] =>
  storage.getTargetValidatorConstraints(constraintCls).map(({ instance: constraint, target }) => (object, value) => {
    const asked = { targetName: target.name, property: propertyName, object, value, constraints };
    const holds = (one: unknown): boolean => constraint.validate(one, asked) as boolean;
    return each && Array.isArray(value) ? value.every(holds) : holds(value);
  });

const isNestedValid = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) ? value.every(isNestedValid) : value instanceof Object && isValid(value));
