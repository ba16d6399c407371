/** A secret that the operator lists, with the hosts that it may be sent to. */
export interface ListedSecret {
  readonly value: string;
  /** Where it may go, as {@link fitsAddress} reads it, lower case: `api.example.com`, `*.example.com`, `api.example.com:8443`. */
  readonly hosts: readonly string[];
}

/** The operator's secrets, by the names that `${secret:NAME}` refers to. */
export interface SecretSource {
  find(name: string): ListedSecret | undefined;
}

/** Where the operator lists none. */
export const NO_SECRETS: SecretSource = { find: () => undefined };

const REFERENCE = /\$\{secret:([^}]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** The names of the secrets that a text refers to, as they are written. */
export const secretsIn = (text: string): readonly string[] => Array.from(text.matchAll(REFERENCE), ([, name = '']) => name.slice(0, 64));

/** What became of the references in a text: the text to be sent with the secrets in it, or what is wrong, in words that hold no secret. */
export type ResolvedText =
  | { readonly ok: true; readonly text: string; readonly secrets: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * Puts secrets in the place of their references, for one address. Call it where the text is sent, and keep nothing of what it returns.
 * @param url where the text goes to
 */
export function resolveSecrets(text: string, url: URL, secrets: SecretSource): ResolvedText {
  let message: string | undefined;
  const used: string[] = [];
  const resolved = text.replaceAll(REFERENCE, (_, name: string) => {
    const secret = NAME.test(name) ? secrets.find(name) : undefined;
    if (secret === undefined) message ??= `there is no secret ${JSON.stringify(name.slice(0, 64))} in the operator's codelab.tools.yaml`;
    else if (!secret.hosts.some((pattern) => fitsAddress(pattern, url))) message ??= `the secret ${name} may not be sent to ${url.host}`;
    else used.push(secret.value);
    return secret?.value ?? '';
  });
  return message === undefined ? { ok: true, text: resolved, secrets: used } : { ok: false, message };
}

/** Whether a host is one that a pattern names: itself, or with `*.` before it every host below it. */
export const fitsHost = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1 : pattern === host;

/**
 * Whether the host and the port of a URL are those that a pattern names: a host as {@link fitsHost} has it, at the usual port of the URL's scheme
 * (443, 80) unless the pattern names another one: `api.example.com:8443`. Whoever else listens on that machine is not meant.
 */
export function fitsAddress(pattern: string, { protocol, hostname, port }: URL): boolean {
  const [, host = '', named] = /^(.*?)(?::(\d{1,5}))?$/.exec(pattern) ?? [];
  const usual = protocol === 'http:' ? '80' : '443';
  return fitsHost(host, hostname.toLowerCase()) && (named ?? usual) === (port || usual);
}
