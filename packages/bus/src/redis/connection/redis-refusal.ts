/** Whether Redis itself said no, rather than nothing. By name: each ioredis brings a class of its own. */
export const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError';

/** Redis' own words, such as `OOM command not allowed …`, without the place in a script. */
export const refusalText = (error: Error): string => error.message.replace(/ script: [0-9a-f]+, on [^]*$/, '').trim();
