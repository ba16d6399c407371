const ALPHABETS = {
  base62: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
  digits: '0123456789',
} as const;

/** Text that looks random and is the same for the same seed. No sample stands in this file as it is: a scan of the repository finds none. */
export const noise = (alphabet: keyof typeof ALPHABETS, length: number, seed = 1): string => {
  const letters = ALPHABETS[alphabet];
  let state = seed * 7919 + length;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return letters[(state >>> 16) % letters.length]!;
  }).join('');
};

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const jwt = (header: unknown = { alg: 'HS256', typ: 'JWT' }): string =>
  `${encode(header)}.${encode({ sub: '1234567890', iat: 1516239022 })}.${noise('base64url', 43)}`;

/** A private key in PEM of so many lines. */
export const pem = (lines = 20, label = 'RSA ', seed = 3): string =>
  [
    `-----${'BEGIN'} ${label}PRIVATE KEY-----`,
    ...Array.from({ length: lines }, (_, line) => noise('base64', 64, seed + line)),
    `${noise('base64', 30, seed)}==`,
    `-----END ${label}PRIVATE KEY-----`,
  ].join('\n');

/** Of each kind: a text around it, and the secret in it. */
export const SAMPLES: readonly (readonly [kind: string, secret: string, text?: (secret: string) => string])[] = [
  ['aws-key-id', `AKIA${noise('base32', 16)}`],
  ['aws-key-id', `ASIA${noise('base32', 16, 2)}`],
  ['aws-secret', noise('base64', 40, 5), (secret) => `aws_secret_access_key = ${secret}`],
  ['aws-secret', noise('base64', 40, 6), (secret) => `"SecretAccessKey": "${secret}"`],
  ['aws-secret', noise('base64', 40, 7), (secret) => `export AWS_SECRET_ACCESS_KEY='${secret}'`],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix): [string, string] => ['github-token', prefix + noise('base62', 36)]),
  ['github-token', `ghs_123456_${jwt({ alg: 'RS256' })}`],
  ['github-token', `github_pat_${noise('base62', 22)}_${noise('base62', 59)}`],
  ['gitlab-token', `glpat-${noise('base64url', 20)}`],
  ['gitlab-token', `glpat-${noise('base64url', 40)}.01.${noise('hex', 9)}`],
  ['slack-token', `xoxb-${noise('digits', 12)}-${noise('digits', 12)}-${noise('base62', 24)}`],
  ['slack-token', `xapp-1-A${noise('base32', 10)}-${noise('digits', 13)}-${noise('hex', 64)}`],
  ['openai-key', `sk-proj-${noise('base64url', 74)}T3BlbkFJ${noise('base64url', 74)}`],
  ['openai-key', `sk-svcacct-${noise('base64url', 120)}`],
  ['openai-key', `sk-${noise('base62', 20)}T3BlbkFJ${noise('base62', 20)}`],
  ['anthropic-key', `sk-ant-api03-${noise('base64url', 93)}AA`],
  ['anthropic-key', `sk-ant-oat01-${noise('base64url', 93)}AA`],
  ['google-key', `AIza${noise('base64url', 35)}`],
  ['codelab-token', `cl_${noise('base64url', 43)}`],
  ['google-secret', `GOCSPX-${noise('base64url', 28)}`],
  ['stripe-key', `sk_live_${noise('base62', 24)}`],
  ['stripe-key', `rk_live_${noise('base62', 99)}`],
  ['npm-token', `npm_${noise('base62', 36)}`],
  ['pypi-token', `pypi-AgEIcHlwaS5vcmc${noise('base64url', 150)}`],
  ['huggingface-token', `hf_${noise('base62', 34)}`],
  ['sendgrid-key', `SG.${noise('base64url', 22)}.${noise('base64url', 43)}`],
  ['twilio-key', `SK${noise('hex', 32)}`],
  ['telegram-token', `${noise('digits', 10)}:AA${noise('base64url', 33)}`],
  ['azure-key', `${noise('base64', 86)}==`, (secret) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${secret};EndpointSuffix=y`],
  ['jwt', jwt()],
  ['private-key', pem()],
  ['private-key', pem(3, '')],
  ['private-key', pem(40, 'OPENSSH ')],
  ['url-password', 's3cr3t-Of-Mine', (secret) => `postgres://app:${secret}@db.internal:5432/app`],
  ['url-password', 'x@y:z-long', (secret) => `git clone https://me:${secret}@git.example.org/a.git`],
];

/** A text with the secret in its place. */
export const textOf = ([, secret, text]: (typeof SAMPLES)[number]): string => (text ?? ((it) => `before ${it} after`))(secret);
