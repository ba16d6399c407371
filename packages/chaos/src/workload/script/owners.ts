import { createHash } from 'node:crypto';

/** Somebody with sessions of their own. */
export interface Owner {
  readonly name: string;
  readonly tenant: string;
  readonly sub: string;
  /** A canary: it may stand in no log and no frame. */
  readonly token: string;
  /** Stands in everything that this owner says: nobody else may see it, and no log. */
  readonly word: string;
  /** A key of a provider that a tool of theirs prints: its shape is one that is masked. */
  readonly secret: string;
}

/** A text that may not come out somewhere. */
export interface Canary {
  readonly text: string;
  readonly what: string;
  /** Clients of this owner may see it; nobody else, and no log. */
  readonly owner?: string;
}

const wordOf = (seed: number, name: string): string =>
  createHash('sha256')
    .update(`${String(seed)}/${name}`)
    .digest('hex')
    .slice(0, 20);

/** The people of a system. Two of them: each may see nothing of the other. */
export const ownersOf = (seed: number): readonly [Owner, Owner] => {
  const owner = (name: string, tenant: string): Owner => ({
    ...{ name, tenant, sub: name },
    token: `chaos.${wordOf(seed, `token of ${name}`)}`,
    word: `word${wordOf(seed, `word of ${name}`)}`,
    secret: `sk-${wordOf(seed, `secret of ${name}`)}${wordOf(seed, `its end for ${name}`)}`,
  });
  return [owner('ada', 'north'), owner('bob', 'south')];
};

/** The key for the upstream; it comes back in the words of its errors. */
export const upstreamKeyOf = (seed: number): string => `sk-${wordOf(seed, 'upstream key')}`;

/** Everything that was planted to be looked for. */
export const canariesOf = (seed: number): readonly Canary[] => [
  ...ownersOf(seed).flatMap(({ name, token, word, secret }) => [
    { text: token, what: `the token of ${name}` },
    { text: secret, what: `a key that a tool of ${name} printed` },
    { text: word, what: `what ${name} says`, owner: name },
  ]),
  { text: upstreamKeyOf(seed), what: 'the key for the upstream' },
];
