import { headOf, type Envelope, type ServerFrame } from '@codelab/protocol';

/** A frame as a test writes it down, with the head that whoever makes such frames gives it. */
export const toTestEnvelope = (text: string): Envelope => ({ head: headOf(JSON.parse(text) as ServerFrame), text });
