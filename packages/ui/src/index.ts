export { EMPTY_VIEW } from '@codelab/client/view';
export type { Choice, PortFacts, Trouble } from './port/port-facts.js';
export type {
  AddressQuestion,
  ConfirmQuestion,
  FormAnswer,
  FormQuestion,
  PromptQuestion,
  Question,
  QuestionAnswer,
  ReviewedLine,
  ReviewQuestion,
  SamplingQuestion,
} from './port/question.js';
export { SessionProvider, useFacts, usePort, useQuestions, useSession } from './port/session-context.js';
export type { Decision, LoadedImage, OutgoingMessage, SessionChoice, SessionPort } from './port/session-port.js';
export { highlightLines, isKnownLanguage, type CodeKind, type CodePiece } from './code/highlight-code.js';
export { CallCard } from './calls/call-card.js';
export { CodeText } from './code/code-text.js';
export { hidesSomething, SafeText } from './text/safe-text.js';
export { DiffView } from './diff/diff-view.js';
export { Composer } from './composer/composer.js';
export { TodoPanel } from './composer/todo-panel.js';
export { WaitingMessages } from './composer/waiting-messages.js';
export { Markdown } from './markdown/markdown.js';
export { Banners } from './screen/banners.js';
export { ContextMeter } from './screen/context-meter.js';
export { CostMeter } from './screen/cost-meter.js';
export { SessionHeader } from './screen/session-header.js';
export { SessionScreen } from './screen/session-screen.js';
export { CopyButton } from './text/copy-button.js';
export { Timeline } from './timeline/timeline.js';
export { ApprovalCard, WaitingCalls, WithApproval } from './approval/approval-card.js';
export { ApprovalPanel, type ApprovalPanelProps } from './approval/approval-panel.js';
export type { AskedCall } from './approval/asked-call.js';
export { describeDecision } from './approval/describe-decision.js';
export { waitingCalls } from './approval/waiting-calls.js';
export { Questions } from './questions/questions.js';
