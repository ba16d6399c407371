/** How a frame of a log begins. */
const SEQ = /^\{"seq":\d+,/;

/**
 * A frame of a child's log as connections of its parent get it: `seq` counts in the log of the session that a connection is of, and no frame
 * of a child has a place there.
 */
export const withoutSeq = (text: string): string => text.replace(SEQ, '{');
