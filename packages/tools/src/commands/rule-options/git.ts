import type { RuleOptions, RuleOptionsByWords } from './rule-options.js';

const git = (options: Omit<RuleOptions, 'style' | 'operands'>): RuleOptions => ({ style: 'joined', operands: 'revisions', ...options });

const SWITCH = {
  flags: 'd f q t detach force quiet track no-track guess no-guess discard-changes merge m ours theirs progress no-progress',
};

/**
 * Without what opens an editor or a terminal dialogue (`-p`, `-i`, `-e`), signs or checks signatures (`-S`, `-s` of `tag`, `--verify`), takes
 * a message, template or list of paths from elsewhere than a file that is named (`-c`, `-C`, `-t`, `--pathspec-from-file`).
 */
export const GIT: RuleOptionsByWords = [
  [
    [/^git$/, /^add$/],
    git({
      flags:
        'A u v n f N all update verbose dry-run force intent-to-add refresh ignore-errors ignore-missing renormalize no-all ignore-removal sparse no-warn-embedded-repo',
      texts: 'chmod',
    }),
  ],
  [
    [/^git$/, /^commit$/],
    git({
      flags:
        'a q v n s o i z all quiet verbose no-verify verify signoff no-signoff amend no-edit allow-empty allow-empty-message dry-run short branch porcelain ' +
        'long null only include status no-status reset-author no-gpg-sign no-post-rewrite',
      texts: 'm message author date cleanup',
      paths: 'F file',
    }),
  ],
  [[/^git$/, /^switch$/], git({ ...SWITCH, texts: 'c C create force-create orphan conflict' })],
  [
    [/^git$/, /^checkout$/],
    git({
      ...SWITCH,
      flags: `${SWITCH.flags} 2 3 l overlay no-overlay overwrite-ignore no-overwrite-ignore`,
      texts: 'b B orphan conflict',
    }),
  ],
  [
    [/^git$/, /^restore$/],
    git({
      flags: 'q S W m 2 3 staged worktree quiet merge ours theirs ignore-unmerged overlay no-overlay progress no-progress',
      texts: 's source conflict',
    }),
  ],
  [
    [/^git$/, /^stash$/],
    git({
      flags: 'k u a q S keep-index no-keep-index include-untracked all quiet staged index stat name-only name-status',
      texts: 'm message',
    }),
  ],
  [
    [/^git$/, /^tag$/],
    git({
      flags: 'a d f l i annotate delete force list ignore-case',
      texts: 'm message sort contains no-contains merged no-merged points-at cleanup',
      attached: 'n',
      paths: 'F file',
    }),
  ],
  [
    [/^git$/, /^branch$/],
    git({
      flags:
        'a r d D m M c C f l q v i t all remotes delete move copy force list quiet verbose ignore-case show-current track no-track unset-upstream create-reflog',
      texts: 'u set-upstream-to sort contains no-contains merged no-merged points-at',
    }),
  ],
  [[/^git$/, /^rm$/], git({ flags: 'r f n q cached force dry-run quiet ignore-unmatch sparse' })],
  [[/^git$/, /^mv$/], git({ flags: 'f k n v force dry-run verbose sparse' })],
];
