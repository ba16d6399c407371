import type { Body } from './fields.js';
import type { JsonSchema } from './json-schema.js';

/** What every frame's definition says of it, whichever way it goes. */
interface Definition<Type extends string, B extends Body> {
  readonly type: Type;
  readonly body: B;
  readonly summary: string;
}

/** A frame from a client. */
export interface ClientDefinition<Type extends string, B extends Body> extends Definition<Type, B> {
  readonly from: 'client';
  /** The field that `error.reply_to` repeats. */
  readonly id?: string;
  /** The frame that answers it, `error` aside; nothing answers what is only evidence (G2). */
  readonly answeredBy?: string;
  /** What no single field can say, for the schema; {@link check} says the same for the decoder. */
  readonly constraints?: readonly JsonSchema[];
  /** What no single field can say: a sentence when something is wrong, or the field that is missing beside the others. */
  readonly check?: (body: InstanceType<B>) => string | MissingField | undefined;
}

/** A field that is required only because of what others say. */
export interface MissingField {
  readonly missing: string;
  /** Why, after "is required". */
  readonly because: string;
}

/** A frame from the servers. `log` frames have a `seq` and are replayed. */
export interface ServerDefinition<Type extends string, B extends Body> extends Definition<Type, B> {
  readonly from: 'server';
  readonly log: boolean;
  /** Sent only to clients that name it in `hello.capabilities`. */
  readonly optIn?: boolean;
}

/** Any definition, with its types forgotten. */
export type AnyDefinition = ClientDefinition<string, Body> | ServerDefinition<string, Body>;

/** Defines a client frame. */
export const defineClientFrame = <const Type extends string, B extends Body>(
  definition: Omit<ClientDefinition<Type, B>, 'from'>,
): ClientDefinition<Type, B> => ({ from: 'client', ...definition });

/** Defines a server frame. */
export const defineServerFrame = <const Type extends string, B extends Body>(
  definition: Omit<ServerDefinition<Type, B>, 'from'>,
): ServerDefinition<Type, B> => ({ from: 'server', ...definition });
