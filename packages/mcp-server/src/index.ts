export type { ApproveMode } from './approvals/human.js';
export type { ApprovalQuestion, UserQuestion } from './approvals/decision.js';
export { consoleFolder } from './consoles/console-folder.js';
export { openConsole, type OpenConsole, type Person, type PersonDecision } from './consoles/open-console.js';
export type { PromptSource, PromptText } from './content/prompts.js';
export { serveOverHttp, type HttpEndpoint } from './http/serve-http.js';
export { serveOverStdio } from './serve-stdio.js';
export { serveWorkspace, type ServedWorkspace, type ServeOptions } from './serve-workspace.js';
