/** A frame as it is on the wire: plain JSON. */
export interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Which frame is meant: one of a type, or one that a function knows. */
export type Fits = (frame: Frame) => boolean;

/** A frame of this type, about this call where one is named. */
export const about =
  (type: string, callId?: string): Fits =>
  (frame) =>
    frame.type === type && (callId === undefined || frame['call_id'] === callId);

/** A frame as a failure shows it: short. */
export const show = (frame: object): string => {
  const text = JSON.stringify(frame);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};
