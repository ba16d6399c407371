/** One kind of secret, known by a shape that nothing else has. */
export interface SecretKind {
  /** What a mask says of it: lower-case words, joined by hyphens. */
  readonly kind: string;
  /** Texts that it cannot be without: only where one of them stands is `pattern` tried. */
  readonly anchors: readonly string[];
  /**
   * Tried at the anchor. The secret is group 1 (with flag `d`), or the whole match; it holds no white space. Every repetition is bounded and no two
   * neighbours share a character that could split them in many ways, so the work per anchor is bounded.
   */
  readonly pattern: RegExp;
  /** The anchor counts only at the beginning of a word: it is short, or part of plain words. */
  readonly startsWord?: true;
  /** Characters before the anchor that belong to the secret, which begins a word then. */
  readonly leading?: RegExp;
  /** Whether what has the shape is a secret and no placeholder; without: `looksRandom`. */
  readonly accepts?: (secret: string, text: string, at: number) => boolean;
}

/** No secret but a private key is longer, in characters; nor is what must stand before it to be recognised. */
export const MAX_SECRET_CHARACTERS = 12_288;
export const MAX_SECRET_CONTEXT = 512;

/** Enough different characters, and more than lower-case words: `ghp_xxxxxxxx` and `your-token-goes-here` are no secrets. */
export const looksRandom = (secret: string): boolean => /[0-9A-Z]/.test(secret.slice(4)) && new Set(secret.slice(0, 64)).size >= 10;

const isJwt = (secret: string): boolean => {
  try {
    const header: unknown = JSON.parse(Buffer.from(secret.slice(0, secret.indexOf('.')), 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null && typeof (header as { alg?: unknown }).alg === 'string';
  } catch {
    return false;
  }
};

/** What examples and templates put in the place of a password. */
const PLACEHOLDER =
  /^(?:[$<{*[(].*|%[a-z].*|.*[{}<>].*|(.)\1*|\W*|pass|passwd|password|pwd|secret|token|user|username|changeme|example|postgres|redis|root|admin|mysql|mongo|guest|test|pw)$/i;

/** A shorter one is an example, or no secret to anybody. */
const MIN_PASSWORD_CHARACTERS = 6;

const isPassword = (secret: string, text: string, at: number): boolean => {
  if (PLACEHOLDER.test(secret) || secret.replace(/%[0-9a-f]{2}/gi, '%').length < MIN_PASSWORD_CHARACTERS) return false;
  const user = text.slice(text.lastIndexOf('/', at) + 1, at - 1);
  return user.toLowerCase() !== secret.toLowerCase();
};

/** Base64 of 40 characters is also what a long path or a hash looks like: a secret of AWS has digits, capitals and small letters. */
const isAwsSecret = (secret: string): boolean =>
  /[0-9]/.test(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret) && !/EXAMPLE/.test(secret) && looksRandom(secret);

/** `gl…-`: the tokens of GitLab, with and without the routing part that newer ones have. */
const GITLAB = ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'gloas-', 'glagent-', 'glsoat-', 'glcbt-'];

/** The tables of gitleaks and secretlint were looked at for the formats; what comes often and has a shape of its own is here. */
export const SECRET_KINDS: readonly SecretKind[] = [
  {
    kind: 'aws-key-id',
    anchors: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])/y,
    startsWord: true,
    accepts: (secret) => !secret.endsWith('EXAMPLE') && looksRandom(secret),
  },
  {
    kind: 'aws-secret',
    anchors: ['ecret_access_key', 'ECRET_ACCESS_KEY', 'ecretAccessKey', 'ecret access key', 'ws_secret_key', 'WS_SECRET_KEY'],
    pattern: /(?:ecret[_ ]?access[_ ]?key|ws_secret_key)[\s"'`:=>,|\\]{1,20}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/diy,
    accepts: isAwsSecret,
  },
  {
    kind: 'aws-secret',
    anchors: ['AKIA', 'ASIA'],
    pattern: /A[KS]IA[A-Z2-7]{16}[^\w/+]{1,20}(?:[A-Za-z_]{1,40}[^\w/+]{1,20})?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dy,
    startsWord: true,
    accepts: isAwsSecret,
  },
  {
    kind: 'github-token',
    anchors: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    startsWord: true,
    pattern: /gh(?:[us]_[A-Za-z0-9]{1,64}_eyJ[\w-]{10,2000}\.[\w-]{10,6000}\.[\w-]{16,1400}|[pousr]_[A-Za-z0-9]{36,255})/y,
  },
  { kind: 'github-token', anchors: ['github_pat_'], pattern: /github_pat_\w{50,255}/y },
  { kind: 'gitlab-token', anchors: GITLAB, pattern: /gl[a-z]{2,5}-[\w-]{20,300}(?:\.[0-9a-z]{2}(?:\.[0-9a-z]{9}|[0-9a-z]{7}))?/y },
  { kind: 'slack-token', anchors: ['xox'], pattern: /xox[abeoprs](?:\.xox[bp])?-[\w-]{20,400}/y, startsWord: true },
  { kind: 'slack-token', anchors: ['xapp-'], pattern: /xapp-\d-[A-Z0-9]{8,16}-\d{10,16}-[0-9a-f]{32,80}/y, startsWord: true },
  {
    kind: 'slack-webhook',
    anchors: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/]{40,80})/dy,
  },
  { kind: 'anthropic-key', anchors: ['sk-ant-'], pattern: /sk-ant-[a-z0-9]{3,12}-[\w-]{40,255}/y },
  { kind: 'openai-key', anchors: ['sk-'], pattern: /sk-(?:proj|svcacct|service|admin|None|or-v1)-[\w-]{40,300}/y, startsWord: true },
  { kind: 'openai-key', anchors: ['sk-'], pattern: /sk-[A-Za-z0-9]{32,64}(?![\w-])/y, startsWord: true },
  { kind: 'google-key', anchors: ['AIza'], pattern: /AIza[\w-]{35}(?![\w-])/y, startsWord: true },
  { kind: 'google-key', anchors: ['AQ.'], pattern: /AQ\.[\w-]{40,120}(?![\w-])/y, startsWord: true },
  { kind: 'google-secret', anchors: ['GOCSPX-'], pattern: /GOCSPX-[\w-]{28}(?![\w-])/y },
  { kind: 'stripe-key', anchors: ['sk_live_', 'rk_live_', 'sk_prod_', 'rk_prod_'], pattern: /[sr]k_(?:live|prod)_[A-Za-z0-9]{16,255}/y },
  { kind: 'npm-token', anchors: ['npm_'], pattern: /npm_[A-Za-z0-9]{36}(?!\w)/y, startsWord: true },
  { kind: 'pypi-token', anchors: ['pypi-AgE'], pattern: /pypi-AgE[\w-]{50,1000}/y },
  { kind: 'huggingface-token', anchors: ['hf_'], pattern: /hf_[A-Za-z0-9]{34,40}(?!\w)/y, startsWord: true },
  { kind: 'sendgrid-key', anchors: ['SG.'], pattern: /SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/y, startsWord: true },
  { kind: 'twilio-key', anchors: ['SK'], pattern: /SK[0-9a-f]{32}(?!\w)/y, startsWord: true },
  { kind: 'telegram-token', anchors: [':AA'], pattern: /:AA[\w-]{33}(?![\w-])/y, leading: /[0-9]{8,10}$/ },
  { kind: 'azure-key', anchors: ['AccountKey='], pattern: /AccountKey=([A-Za-z0-9+/]{86}==)/dy },
  { kind: 'azure-key', anchors: ['SharedAccessKey='], pattern: /SharedAccessKey=([A-Za-z0-9+/]{43}=)/dy },
  { kind: 'digitalocean-token', anchors: ['dop_v1_', 'doo_v1_', 'dor_v1_'], pattern: /do[por]_v1_[0-9a-f]{64}/y },
  { kind: 'shopify-token', anchors: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], pattern: /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/y },
  { kind: 'vault-token', anchors: ['hvs.'], pattern: /hvs\.[\w-]{24,300}/y, startsWord: true },
  { kind: 'groq-key', anchors: ['gsk_'], pattern: /gsk_[A-Za-z0-9]{52}(?!\w)/y, startsWord: true },
  { kind: 'codelab-token', anchors: ['cl_'], pattern: /cl_[\w-]{43}(?![A-Za-z0-9])/y, startsWord: true },
  { kind: 'age-key', anchors: ['AGE-SECRET-KEY-1'], pattern: /AGE-SECRET-KEY-1[A-Z0-9]{58}/y },
  {
    kind: 'jwt',
    anchors: ['eyJ'],
    pattern: /eyJ[\w-]{10,2000}\.[\w-]{4,6000}\.[\w-]{16,1400}/y,
    startsWord: true,
    accepts: isJwt,
  },
  {
    kind: 'url-password',
    anchors: ['://'],
    pattern: /:\/\/[^\s/:@"'`<>?#\\]{0,100}:([^\s/"'`<>\\]{1,200})@[A-Za-z0-9[_]/dy,
    accepts: isPassword,
  },
];
