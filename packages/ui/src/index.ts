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
export type { OutgoingMessage, SessionChoice, SessionPort } from './port/session-port.js';
