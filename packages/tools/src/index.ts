export { argsDigest } from './args-digest.js';
export { CANONICAL_TOOLS, isCanonicalTool, type CanonicalTool } from './canonical-tools.js';
export { canonicalJson } from './canonical-json.js';
export { describeCommand } from './commands/describe-command.js';
export { isCommandAllowedBy, type CommandRule } from './commands/is-command-allowed-by.js';
export { judgeCommand, type CommandJudgement, type CommandVerdict, type SimpleCommand } from './commands/judge-command.js';
export { suggestPrefixes, type SuggestedPrefix } from './commands/suggest-prefixes.js';
export type { ApplyPatchReviewArguments } from './definitions/apply-patch-review.js';
export type { ApplyPatchArguments } from './definitions/apply-patch.js';
export type { GitDiffArguments } from './definitions/git-diff.js';
export type { PromptUserArguments } from './definitions/prompt-user.js';
export type { ReadFileArguments } from './definitions/read-file.js';
export type { CreateDirectoryArguments } from './definitions/create-directory.js';
export type { DeleteFileArguments } from './definitions/delete-file.js';
export type { GitBranchArguments } from './definitions/git-branch.js';
export type { GitCommitArguments } from './definitions/git-commit.js';
export type { GitLogArguments } from './definitions/git-log.js';
export type { GitStatusArguments } from './definitions/git-status.js';
export type { KillProcessArguments } from './definitions/kill-process.js';
export type { ListFilesArguments } from './definitions/list-files.js';
export type { MoveFileArguments } from './definitions/move-file.js';
export type { RunCommandArguments } from './definitions/run-command.js';
export type { RunPersistentArguments } from './definitions/run-persistent.js';
export type { SearchInProjectArguments } from './definitions/search-in-project.js';
export type { WriteFileArguments } from './definitions/write-file.js';
export { DEFAULT_LISTED } from './definitions/list-files.js';
export { DEFAULT_COMMAND_MS, MAX_STREAM_BYTES } from './definitions/run-command.js';
export { MAX_STATUS_OUTPUT_BYTES } from './definitions/run-persistent.js';
export { DEFAULT_MATCHES } from './definitions/search-in-project.js';
export { MAX_COMMIT_FILES } from './definitions/git-commit.js';
export { MAX_STATUS_FILES } from './definitions/git-status.js';
export { findArgumentFault, withoutNulls } from './find-argument-fault.js';
export { findJsonFault } from './find-json-fault.js';
export { findSchemaFault } from './find-schema-fault.js';
export { isJsonObject, type JsonObject, type JsonValue } from './json.js';
export { parseArguments, type ParsedArguments } from './parse-arguments.js';
export { dropChanges } from './patch/drop-changes.js';
export { formatLines, parseEditedLines, type EditedLines } from './patch/edit-hunk.js';
export { formatHunk, formatPatch } from './patch/format-patch.js';
export { listChunks, type Chunk } from './patch/list-chunks.js';
export { parsePatch } from './patch/parse-patch.js';
export { PatchError } from './patch/patch-error.js';
export { pathsOfPatch, type FilePatch, type Hunk, type ParsedPatch, type PatchLine } from './patch/patch.js';
export { splitHunk } from './patch/split-hunk.js';
export { findAlwaysAskReason, findSecretReason } from './policy/always-ask.js';
export { decidePolicy } from './policy/decide-policy.js';
export { describeRule } from './policy/describe-rule.js';
export { parseRule, type ParsedRule } from './policy/parse-rule.js';
export { isForLocalHuman } from './policy/is-for-local-human.js';
export { rowOf as basePolicyOf } from './policy/policy-table.js';
export type { PolicyDecision, PolicyMode, PolicyRule, PolicySession, Risk, RuleFile } from './policy/policy-session.js';
export { proposeRules } from './policy/propose-rules.js';
export { bindRule, toPolicyRule } from './policy/to-policy-rule.js';
export { maskSecretsInJson } from './secrets/mask-secrets-in-json.js';
export { maskSecrets, type MaskedSecret, type MaskedText } from './secrets/mask-secrets.js';
export { explainMask, findMask } from './secrets/mask.js';
export { SecretStream } from './secrets/secret-stream.js';
export {
  DEFAULT_DEADLINE_MS,
  HUMAN_DEADLINE_MS,
  type CanonicalDefinition,
  type ToolDefinition,
  type ToolGroup,
} from './tool-definition.js';
export { readExecutorTools, SEED_EXECUTOR, type StoredExecutor } from './executor-tools.js';
export { findTool, TOOLS } from './tools.js';
export type { JsonSchema } from '@codelab/protocol';
export { codelabVocabulary } from './vocabularies/codelab.js';
export type { ModelTool, Vocabulary } from './vocabularies/vocabulary.js';
