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

/** Characters that some file systems leave out when they compare names (HFS+ does, and git guards against it). */
const IGNORED = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]/g;

/**
 * The name that a case-insensitive, Windows or macOS file system may take a segment for: lower case, composed, without ignored characters,
 * trailing dots and blanks, alternate data stream, or git's short 8.3 name.
 */
const foldSegment = (segment: string): string => {
  const folded = segment
    .normalize('NFKC')
    .replace(IGNORED, '')
    .toLowerCase()
    .split(':', 1)[0]!
    .replace(/[. ]+$/, '');
  return /^git~\d+$/.test(folded) ? '.git' : folded;
};

/**
 * Why a path always needs a human before it is written, whatever mode or rule says; `undefined` for every other path. Names count in any
 * letter case and at any depth, so that no file system sees a different file than this function.
 */
export function findAlwaysAskReason(path: string): string | undefined {
  const segments = path
    .split(/[\\/]/)
    .map(foldSegment)
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

/** Why a path always needs a human before it is read: the files that are made to hold secrets. */
export const findSecretReason = (path: string): string | undefined =>
  path.split(/[\\/]/).some((segment) => /^\.env.*$/.test(foldSegment(segment))) ? 'environment files hold secrets' : undefined;
