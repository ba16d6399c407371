export { describeRule } from '../policy/rules/describe-rule.js';
export { readMcpToolName } from '../names/mcp-name.js';
export { describeCall, summariseResult } from '../tools/describe-call.js';
export { checkChoices, checkLine, fallbackOf, type CheckedAnswer } from './forms/check-answer.js';
export { readForm, type FormAnswer, type FormField, type FormInput, type FormOption } from './forms/form-field.js';
export { planOf } from './plan-of.js';
export { prettyArguments } from './pretty-arguments.js';
export {
  chooseRule,
  refusalRule,
  rememberedBy,
  RULE_SCOPES,
  SCOPE_WORDS,
  type DecidedCall,
  type RuleChoice,
  type RuleScope,
} from './rules/choose-rule.js';
export { ruleExamples, type RuleExamples } from './rules/rule-examples.js';
export { sanitise, sanitiseLine, splitUnsafe, type SafePiece } from './text/sanitise.js';
export { toolTitle } from './tool-title.js';
export { whereRuns } from './where-runs.js';
export { schemaOfTool } from './schema-of-tool.js';
