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
export type { Decision, OutgoingMessage, SessionChoice, SessionPort } from './port/session-port.js';
export { highlightLines, isKnownLanguage, type CodeKind, type CodePiece } from './code/highlight-code.js';
export { CodeText } from './code/code-text.js';
export { hidesSomething, SafeText } from './text/safe-text.js';
export { DiffView } from './diff/diff-view.js';
