export { argsDigest, canonicalJson } from './arguments/canonical-json.js';
export { describeCommand } from './commands/describe-command.js';
export { judgeCommand, type CommandJudgement, type SimpleCommand } from './commands/judge-command.js';
export { DEFAULT_LISTED } from './tools/list-files.js';
export { DEFAULT_COMMAND_MS, MAX_STREAM_BYTES } from './tools/run-command.js';
export { MAX_STATUS_OUTPUT_BYTES } from './tools/run-persistent.js';
export { DEFAULT_MATCHES } from './tools/search-in-project.js';
export { MAX_COMMIT_FILES } from './tools/git-commit.js';
export { MAX_STATUS_FILES } from './tools/git-status.js';
export { findArgumentFault, findResultFault, withoutNulls } from './arguments/find-shape-fault.js';
export { withoutAdditions } from './arguments/without-additions.js';
export { findJsonFault } from './arguments/find-json-fault.js';
export {
  isMcpServerName,
  MAX_MCP_SERVER_NAME,
  mcpToolName,
  mcpToolUri,
  readMcpToolName,
  readMcpToolUri,
  type McpToolName,
} from './names/mcp-name.js';
export { nearestNames } from './names/nearest-names.js';
export { isJsonObject, type JsonObject } from './arguments/json.js';
export { appliesTo, type WorkedOn } from './instructions/applies-to.js';
export { NO_KNOWLEDGE, type Instruction, type WorkspaceKnowledge } from './instructions/instruction.js';
export { readKnowledge } from './instructions/read-knowledge.js';
export type { PolicyRow } from './policy/policy-row.js';
export { findUserAgent, isUserAgentName, modeOfAgent, type UserAgent } from './instructions/user-agent.js';
export { findSchemaFault, parseArguments, type ParsedArguments } from './arguments/parse-arguments.js';
export { formatLines, parseEditedLines } from './patch/edit-hunk.js';
export { formatPatch, listChunks, type Chunk } from './patch/format-patch.js';
export { parsePatch } from './patch/parse-patch.js';
export { PatchError } from './patch/patch-error.js';
export { pathsOfPatch, type FilePatch, type Hunk, type ParsedPatch, type PatchLine } from './patch/patch.js';
export { dropChanges, splitHunk } from './patch/split-hunk.js';
export { sumUpPatch } from './patch/sum-up-patch.js';
export { AGENTS, isAgent, isLimited, type AgentName } from './policy/agents.js';
export { auditTarget } from './policy/audit-target.js';
export { pathsOfCall } from './policy/call-paths.js';
export { findAlwaysAskReason, findSecretReason } from './policy/always-ask.js';
export { decidePolicy } from './policy/decide-policy.js';
export { describeRule } from './policy/rules/describe-rule.js';
export { namesTool } from './policy/rules/tool-pattern.js';
export { parseRule } from './policy/rules/parse-rule.js';
export { isForLocalHuman } from './policy/is-for-local-human.js';
export { basePolicyOf } from './policy/policy-call.js';
export { judgedMode, PLAN_POLICY, PLAN_TOOL } from './policy/plan-tool.js';
export type { PolicyDecision, PolicyMode, PolicyRule, PolicySession } from './policy/policy-session.js';
export { proposeRules } from './policy/rules/propose-rules.js';
export { bindRule, toPolicyRule } from './policy/rules/to-policy-rule.js';
export { formatRuleFile } from './rules-files/format-rule-file.js';
export { parseRuleFile, readFrontMatter } from './rules-files/parse-rule-file.js';
export { isShallowYaml } from './rules-files/yaml-depth.js';
export { ruleSlug, RULES_DIRECTORY, type RuleFile } from './rules-files/rule-file.js';
export { maskSecretsInJson } from './secrets/mask-secrets-in-json.js';
export { maskSecrets } from './secrets/mask-secrets.js';
export { explainMask, findMask } from './secrets/mask.js';
export { fitsAddress, NO_SECRETS, resolveSecrets, secretsIn, type ListedSecret, type SecretSource } from './secrets/secret-source.js';
export { SecretStream } from './secrets/secret-stream.js';
export { DEFAULT_DEADLINE_MS, type ToolDefinition, type ToolSource } from './tools/tool-definition.js';
export { isAtLeast, readCapabilities, readExecutorTools, SEED_EXECUTOR, type StoredExecutor } from './tools/executor-tools.js';
export {
  CANONICAL_TOOLS,
  CAPABILITIES,
  findTool,
  findWireTool,
  isCanonicalTool,
  isCapability,
  TOOLS,
  type ArgumentsOf,
  type CanonicalTool,
  type CanonicalToolDefinition,
  type ResultOf,
} from './tools/tools.js';
export { describeCall, summariseResult } from './tools/describe-call.js';
export type { JsonSchema } from '@codelab/protocol';
export { VOCABULARY_CHOICES, VOCABULARY_NAMES, type VocabularyChoice, type VocabularyName } from './vocabularies/vocabulary-names.js';
export { rewriteUse, type StoredUse } from './vocabularies/rewrite/rewrite-use.js';
export { codelabVocabulary } from './vocabularies/vocabulary.js';
export type { ModelTool, Vocabulary } from './vocabularies/vocabulary.js';
