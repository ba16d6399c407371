import 'reflect-metadata';

/** What the reference page and the error messages say about one environment variable. */
export interface SettingOptions {
  /** Name of the environment variable, `SERVICE_NOUN_UNIT`. */
  readonly env: string;
  /** One sentence for the reference page. */
  readonly meaning: string;
  /** What a right value looks like, for the error message: `a port from 0 to 65535`. */
  readonly expects: string;
  /** Unit of a number: `ms`, `bytes`, … */
  readonly unit?: string;
  /** Shown as the default where it is computed. */
  readonly defaultText?: string;
  /** A secret is never printed, neither in errors nor anywhere else. */
  readonly secret?: boolean;
}

/** One environment variable of one configuration class. */
export interface SettingDefinition extends SettingOptions {
  readonly property: string;
  readonly kind: 'string' | 'number' | 'boolean' | 'list';
}

const settings = new WeakMap<object, SettingDefinition[]>();

/**
 * Binds a property of a configuration class to an environment variable. Its declared type decides how the text is read:
 * `number`, `boolean` (`true`, `1`, `yes`, `on` and their opposites), `string[]` (comma-separated), else text.
 * Validation is class-validator's, beside it on the same property.
 */
export function Setting(options: SettingOptions): PropertyDecorator {
  return (prototype, property) => {
    const type: unknown = Reflect.getMetadata('design:type', prototype, property);
    const kind = type === Number ? 'number' : type === Boolean ? 'boolean' : type === Array ? 'list' : 'string';
    const own = settings.get(prototype) ?? [];
    own.push({ ...options, property: String(property), kind });
    settings.set(prototype, own);
  };
}

/** Every setting of a configuration class, those of its base classes first, in the order of declaration. */
export function settingsOf(configClass: abstract new () => object): readonly SettingDefinition[] {
  const chain: SettingDefinition[][] = [];
  for (let at = configClass.prototype as object | null; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    chain.unshift(settings.get(at) ?? []);
  }
  return chain.flat();
}
