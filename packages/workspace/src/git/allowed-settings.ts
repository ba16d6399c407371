import type { Setting } from './settings.js';

/** Names of a section; `section.*` has a subsection of any bytes. Written as in git's manual, compared in small letters. */
const names = (section: string, list: string): readonly string[] => list.split(' ').map((name) => `${section}.${name}`.toLowerCase());

/** Settings whose value is a flag, a number, a colour or one of git's own words. None names a program, a file or a place. */
const PLAIN = [
  ...names(
    'core',
    'repositoryFormatVersion fileMode ignoreCase precomposeUnicode symlinks trustctime checkStat autocrlf eol safecrlf logAllRefUpdates ' +
      'abbrev quotePath compression looseCompression bigFileThreshold protectHFS protectNTFS longPaths hideDotFiles sharedRepository ' +
      'untrackedCache splitIndex preloadIndex whitespace sparseCheckout sparseCheckoutCone multiPackIndex commitGraph useReplaceRefs ' +
      'warnAmbiguousRefs fsync fsyncMethod fsyncObjectFiles filesRefLockTimeout packedRefsTimeout maxTreeDepth',
  ),
  ...names('extensions', 'objectFormat refStorage relativeWorktrees noop preciousObjects'),
  ...names('index', 'version threads sparse skipHash recordEndOfIndexEntries recordOffsetTable'),
  ...names('feature', 'manyFiles experimental'),
  ...names('sparse', 'expectFilesOutsideOfPatterns'),
  ...names('status', 'showUntrackedFiles relativePaths short branch aheadBehind renames renameLimit displayCommentPrefix showStash'),
  ...names('log', 'date decorate follow abbrevCommit showRoot initialDecorationSet diffMerges mailmap'),
  ...names('blame', 'blankBoundary coloring date showEmail showRoot markIgnoredLines markUnblamableLines'),
  ...names(
    'diff',
    'renames renameLimit algorithm context interHunkContext indentHeuristic noPrefix mnemonicPrefix colorMoved colorMovedWS ' +
      'wsErrorHighlight suppressBlankEmpty statGraphWidth autoRefreshIndex relative dirstat',
  ),
  ...names('diff.*', 'binary algorithm'),
  ...names('color', 'ui branch diff status decorate advice grep interactive showBranch'),
  ...names('color.branch', 'current local remote upstream plain worktree reset'),
  ...names('color.diff', 'context meta frag func old new commit whitespace plain'),
  ...names('color.status', 'header added updated changed untracked branch noBranch localBranch remoteBranch unmerged'),
  ...names('color.decorate', 'branch remoteBranch tag stash HEAD grafted'),
  ...names('column', 'ui branch status'),
  ...names('advice', 'statusHints detachedHead statusUoption statusAheadBehindWarning'),
  ...names('i18n', 'commitEncoding logOutputEncoding'),
  ...names('user', 'useConfigOnly'),
];

/** Settings whose value is a text that git shows or compares, and never opens or runs in a command that reaches no remote. */
const TEXTS = [
  ...names('user', 'name email'),
  ...names('author', 'name email'),
  ...names('committer', 'name email'),
  ...names('branch.*', 'remote pushRemote'),
  ...names('remote.*', 'url'),
  ...names('remote', 'pushDefault'),
];

/** Settings whose value is a branch, or which branches are what others are called here. */
const REFS = [...names('branch.*', 'merge'), ...names('remote.*', 'fetch')];

/**
 * Settings that repositories often have, and that have no effect on a command that only looks, or on a `git.*` tool: they are of commands
 * that ask, or this package sees to what they say. They are left out of what our git reads.
 */
const WITHOUT_EFFECT = [
  ...names('core', 'bare worktree hooksPath'),
  ...names('extensions', 'worktreeConfig partialClone'),
  ...names('remote.*', 'promisor partialCloneFilter pushUrl tagOpt prune pruneTags mirror skipFetchAll skipDefaultUpdate gh-resolved'),
  ...names('branch.*', 'rebase description mergeOptions vscode-merge-base gh-merge-base github-pr-owner-number'),
  ...names('branch', 'autoSetupMerge autoSetupRebase'),
  ...names('submodule.*', 'url active branch shallow fetchRecurseSubmodules'),
  ...names('submodule', 'active recurse fetchJobs propagateBranches alternateLocation alternateErrorStrategy'),
  ...names('fetch', 'prune pruneTags parallel recurseSubmodules writeCommitGraph fsckObjects'),
  ...names('pull', 'ff rebase'),
  ...names('push', 'default followTags autoSetupRemote gpgSign recurseSubmodules'),
  ...names('rebase', 'autoSquash autoStash updateRefs stat backend forkPoint'),
  ...names('merge', 'ff conflictStyle renames renameLimit directoryRenames stat log autoStash'),
  ...names('commit', 'gpgSign verbose status cleanup'),
  ...names('tag', 'gpgSign forceSignAnnotated'),
  ...names('user', 'signingKey'),
  ...names('gpg', 'format'),
  ...names('rerere', 'enabled autoUpdate'),
  ...names('receive', 'denyCurrentBranch denyDeletes denyNonFastForwards advertisePushOptions'),
  ...names('init', 'defaultBranch'),
  ...names('gc', 'auto autoDetach autoPackLimit pruneExpire reflogExpire reflogExpireUnreachable'),
  ...names('maintenance', 'auto strategy'),
  ...names('pack', 'threads window depth windowMemory packSizeLimit'),
  ...names('lfs', 'repositoryFormatVersion'),
  ...names('lfs.*', 'access locksVerify'),
];

/** The values that a setting of ours may have: flags, numbers, words, colours and dates in git's own forms; names of refs; one line. */
const VALUES = new Map([
  ...PLAIN.map((name) => [name, /^[\w .,:;#%+-]{0,200}$/] as const),
  ...REFS.map((name) => [name, /^[+^]?(HEAD|refs\/[^\s:~^?[\\]+)(:(refs\/[^\s:~^?[\\]+)?)?$/] as const),
  ...TEXTS.map((name) => [name, /^[^\p{Cc}]*$/u] as const),
]);

const withoutEffect = new Set(WITHOUT_EFFECT);

/** Colours of parts have a subsection that git names itself; all others have one of any bytes. */
const patternsOf = ({ key, subsection }: Setting): readonly string[] => {
  const [section, name] = key.split('.') as [string, string];
  return subsection === undefined ? [key] : [`${section}.*.${name}`, `${section}.${subsection.toLowerCase()}.${name}`];
};

/** What becomes of a setting that a repository makes: our git gets it, or it doesn't, and then it matters or doesn't. */
type SettingFate = 'copied' | 'without_effect' | 'outside';

/** Whether a repository may make a setting. What is not listed is outside, also what a later git understands. */
export function fateOf(setting: Setting): SettingFate {
  const patterns = patternsOf(setting);
  const values = patterns.flatMap((pattern) => VALUES.get(pattern) ?? []);
  if (values.length > 0) return values.some((value) => value.test(setting.value ?? '')) ? 'copied' : 'outside';
  return patterns.some((pattern) => withoutEffect.has(pattern)) ? 'without_effect' : 'outside';
}
