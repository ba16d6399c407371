import { encodeFrame, type ServerFrame } from '@codelab/protocol';

/** The text of a frame of ours. */
export const toFrameText = (frame: ServerFrame): string => encodeFrame(frame);
