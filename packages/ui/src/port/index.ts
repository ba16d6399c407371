/** The port of a session by itself, without components: for hosts that run no browser. */
export type { Choice, PortFacts, Trouble } from './port-facts.js';
export type { FormAnswer, PromptQuestion, Question, QuestionAnswer, ReviewedLine, ReviewQuestion } from './question.js';
export type { Decision, LoadedImage, OutgoingMessage, SessionChoice, SessionPort } from './session-port.js';
