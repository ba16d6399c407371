/** The three formats that callers speak, named by their endpoints: `/v1/chat/completions`, `/v1/messages`, `/v1/responses`. */
export type Dialect = 'chat' | 'messages' | 'responses';
