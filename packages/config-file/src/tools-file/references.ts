/** `${env:NAME}` or `${secret:NAME}` in a text. */
export interface Reference {
  readonly kind: 'env' | 'secret';
  readonly name: string;
}

const REFERENCE = /\$\{([^}]*)\}/g;
const PARTS = /^(env|secret):([A-Za-z_][A-Za-z0-9_]*)$/;

/** What a text refers to; `undefined` stands for what looks like a reference and is none. */
export const referencesIn = (text: string): readonly (Reference | undefined)[] =>
  [...text.matchAll(REFERENCE)].map(([, inner]) => readReference(inner!));

/** The text with the values in place of its references. Throws an error without any value in it where one is missing. */
export function fillReferences(text: string, find: (reference: Reference) => string | undefined): string {
  return text.replace(REFERENCE, (whole: string, inner: string) => {
    const reference = readReference(inner);
    const value = reference && find(reference);
    if (value === undefined) throw new Error(`${whole} has no value.`);
    return value;
  });
}

function readReference(inner: string): Reference | undefined {
  const [, kind, name] = PARTS.exec(inner) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind: kind as Reference['kind'], name };
}
