/** What Nest injects: the ports of the core. */
export const GATEWAY_PORTS = Symbol('gateway ports');
/** What Nest injects: times of the edge. */
export const GATEWAY_TIMING = Symbol('gateway timing');
/** What Nest injects: how many connections there may be. */
/** What Nest injects: the OpenAPI document. */
export const OPENAPI = Symbol('openapi');
/** What Nest injects: who is let in. */
export const ADMISSION = Symbol('admission');
/** What Nest injects: what the routes of the console need. */
export const CONSOLE_PORTS = Symbol('console ports');
/** What Nest injects: the questions of all sessions of a person. */
export const APPROVAL_INBOX = Symbol('approval inbox');
/** What Nest injects: what the services keep beside sessions. */
export const RECORDS = Symbol('records');
