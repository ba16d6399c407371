import { foldName } from './fold-name.js';

/** Directories whose content makes programs run or tells an editor, an agent or a CI system what to do; and all that is below them. */
const DIRECTORIES: Readonly<Record<string, string>> = {
  '.git': 'git runs its hooks and obeys its configuration',
  '.husky': 'git hooks',
  '.githooks': 'git hooks',
  '.vscode': 'editor configuration',
  '.idea': 'editor configuration',
  '.zed': 'editor configuration',
  '.fleet': 'editor configuration',
  '.devcontainer': 'editor configuration',
  '.codelab': 'agent configuration',
  '.claude': 'agent configuration',
  '.codex': 'agent configuration',
  '.continue': 'agent configuration',
  '.cursor': 'agent configuration',
  '.gemini': 'agent configuration',
  '.windsurf': 'agent configuration',
  '.github': 'CI configuration',
  '.gitlab': 'CI configuration',
  '.gitea': 'CI configuration',
  '.forgejo': 'CI configuration',
  '.circleci': 'CI configuration',
  '.buildkite': 'CI configuration',
  '.woodpecker': 'CI configuration',
  '.ci': 'CI configuration',
};

/** Files that do the same wherever they lie, as patterns of a lower-case name. */
const FILES: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^\.env.*$/, 'environment files hold secrets'],
  [/^\.git(modules|attributes|config)$/, 'git obeys it'],
  [/^(\.pre-commit-config\.ya?ml|\.?lefthook.*\.(ya?ml|toml|json)|\.lintstagedrc.*)$/, 'git hooks'],
  [/^(\.exrc|\.n?vimrc|\.nvim\.lua|\.dir-locals\.el|.*\.code-workspace|.*\.sublime-project)$/, 'editor configuration'],
  [/^(agents|agent|claude|gemini)(\.local)?\.md$/, 'agent configuration'],
  [/^(\.mcp\.json|\.cursorrules|\.windsurfrules|\.clinerules|\.aider.*|\.continuerc\.json)$/, 'agent configuration'],
  [/^(\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.?appveyor|azure-pipelines|bitbucket-pipelines|\.cirrus)\.ya?ml$/, 'CI configuration'],
  [/^jenkinsfile.*$/, 'CI configuration'],
];

/**
 * Why a path always needs a human before it is written, whatever mode or rule says; `undefined` for every other path. Names count in any
 * letter case and at any depth, so that no file system sees a different file than this function.
 */
export function findAlwaysAskReason(path: string): string | undefined {
  const segments = path
    .split(/[\\/]/)
    .map(foldName)
    .filter((segment) => segment !== '');
  for (const segment of segments) {
    if (Object.hasOwn(DIRECTORIES, segment)) return DIRECTORIES[segment];
  }
  for (const segment of segments) {
    const found = FILES.find(([pattern]) => pattern.test(segment));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** Names that hold secrets, and all that is below them. */
const SECRET_ANYWHERE: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^\.env(?!.*\.(?:example|sample|template|dist|defaults)$).*$/, 'environment files hold secrets'],
  [/^(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.password-store|\.secrets?)$/, 'a directory for keys'],
];

/** Files that are made to hold secrets, as patterns of a folded name. */
const SECRET_FILES: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$).*$/, 'a private key'],
  [/\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|age|agekey)$/, 'it may hold a private key'],
  [/^(\.npmrc|\.yarnrc\.yml|\.pypirc|[._]netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.dockercfg)$/, 'it may hold a password'],
  [/^(credentials?|secrets?)\.(json|ya?ml|toml|ini|txt|env|properties|cfg|conf|enc)$/, 'it may hold secrets'],
  [/^(service[-_]?account.*\.json|kubeconfig|.*\.tfvars|.*\.tfstate(\.backup)?)$/, 'it may hold secrets'],
  [/^(.*[._-])?(token|apikey|api[-_]key)$/, 'it may hold a token'],
  [
    /^(?!(.*[._-])?(example|sample|template|dist|defaults)\.env$)\S+\.env(\.(local|dev\w*|prod\w*|stag\w*|test|ci|bak|old|enc))?$/,
    'environment files hold secrets',
  ],
  [/^(\.[\w-]*history|\.histfile|\.lesshst|\.viminfo|fish_history|consolehost_history\.txt)$/, 'what was typed may hold secrets'],
];

/** Files and directories that are known only together with where they lie, as patterns of folded names joined by `/`. */
const SECRET_PLACES: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/(^|\/)\.docker(\/config\.json)?$/, 'it may hold a password'],
  [/(^|\/)gh\/hosts\.ya?ml$/, 'it may hold a token'],
  [/(^|\/)\.config\/(gh|glab-cli|hub|gcloud|op|rclone)(\/|$)/, 'a directory for keys'],
  [
    /(^|\/)(\.cargo\/credentials(\.toml)?|\.terraform\.d\/credentials\.tfrc\.json|\.m2\/settings(-security)?\.xml)$/,
    'it may hold a password',
  ],
  [
    /(^|\/)secrets(\/.*(?<!\.([cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|vue|svelte|lua)))?$/,
    'a directory for secrets',
  ],
];

/** Why a path always needs a human before it is read: its name is one that files with secrets have. Code in a directory `secrets` is code. */
export function findSecretReason(path: string): string | undefined {
  const names = path
    .split(/[\\/]/)
    .map(foldName)
    .filter((name) => name !== '');
  const above = SECRET_ANYWHERE.find(([pattern]) => names.some((name) => pattern.test(name)));
  const place = names.join('/');
  const found =
    above ?? SECRET_FILES.find(([pattern]) => pattern.test(names.at(-1) ?? '')) ?? SECRET_PLACES.find(([pattern]) => pattern.test(place));
  return found?.[1];
}
