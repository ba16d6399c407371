import type { CreateElicitationResponse, ElicitationPropertySchema, ElicitationSchema } from '@agentclientprotocol/sdk';
import type { FormAnswer, FormField, FormOption } from '@codelab/tools/human';
import type { FormOutcome } from '../form/form-prompt.js';

/** A form of ours as the schema that the protocol asks with. */
export const toElicitationSchema = (fields: readonly FormField[]): ElicitationSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
});

function toProperty({ title, description, input }: FormField): ElicitationPropertySchema {
  const words = { title, description };
  switch (input.kind) {
    case 'text': {
      const { format, minLength, maxLength, fallback } = input;
      return { ...words, type: 'string', format: formatOf(format), minLength, maxLength, default: fallback };
    }
    case 'number': {
      const { integer, minimum, maximum, fallback } = input;
      return { ...words, type: integer ? 'integer' : 'number', minimum, maximum, default: fallback };
    }
    case 'boolean':
      return { ...words, type: 'boolean', default: input.fallback };
    case 'choice':
      return { ...words, type: 'string', oneOf: input.options.map(toOption), default: input.fallback };
    case 'choices': {
      const { options, minimum, maximum, fallback } = input;
      return {
        ...words,
        type: 'array',
        items: { anyOf: options.map(toOption) },
        minItems: minimum,
        maxItems: maximum,
        default: [...fallback],
      };
    }
  }
}

const toOption = ({ value, title }: FormOption): { const: string; title: string } => ({ const: value, title });

const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
const formatOf = (format: string | undefined): (typeof FORMATS)[number] | undefined => FORMATS.find((one) => one === format);

/** What the person answered; whoever asked checks it against their schema. An answer that is not known counts as none. */
export function readElicitationAnswer(response: CreateElicitationResponse): FormOutcome {
  if (response.action === 'decline') return { action: 'decline' };
  if (response.action !== 'accept') return { action: 'cancel' };
  const content = (response as { readonly content?: Readonly<Record<string, unknown>> | null }).content ?? {};
  return { action: 'accept', content: Object.fromEntries(Object.entries(content).filter(isAnswer)) };
}

const isAnswer = (entry: [string, unknown]): entry is [string, FormAnswer] =>
  ['string', 'number', 'boolean'].includes(typeof entry[1]) ||
  (Array.isArray(entry[1]) && entry[1].every((value) => typeof value === 'string'));
