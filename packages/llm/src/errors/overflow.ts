/** What a refusal says of the size of a request, in tokens. */
export interface Overflow {
  /** The most that the model reads, its answer with it. */
  readonly window?: number;
  /** What the request had, without the answer. */
  readonly used?: number;
}

/** Longer wordings are not looked at: a provider that quotes the request back says its numbers first. */
const MAX_LOOKED_AT = 4_000;

/**
 * How servers say that a conversation is too long: OpenAI and those that imitate it, Anthropic, vLLM, SGLang, TGI, llama.cpp, LM Studio, Ollama, Gemini,
 * Mistral, xAI, Bedrock, Cohere. Each pattern is matched in linear time: no two parts of one can match the same text.
 */
const SAID =
  /context (?:length|window|size|limit)|maximum (?:context|model|prompt) length|max(?:imum)? context|(?:prompt|input|request) is too long|too many (?:input )?tokens|(?:input|prompt) tokens exceed|input token count|input length exceeds|longer than the maximum|tokens? (?:limit|allowed) (?:is )?exceeded|reduce the length of (?:the|your) (?:messages|prompt|input)|exceeds the maximum number of tokens|too large for model with|inputs` tokens/i;

/** Where the largest window stands, in the order in which the patterns are tried. */
const WINDOWS = [
  /tokens > (\d{3,9}) maximum/i, // Anthropic
  /exceed context limit: \d{1,9} \+ \d{1,9} > (\d{3,9})/i, // Anthropic, with the answer
  /max(?:imum)? (?:context|prompt|model) length (?:is|of) (\d{3,9})/i, // OpenAI, vLLM, xAI, OpenRouter
  /maximum number of tokens allowed \((\d{3,9})\)/i, // Gemini
  /context (?:size|length|window) \((\d{3,9}) tokens\)/i, // llama.cpp
  /context (?:length|window|size) of (?:only )?(\d{3,9})/i, // LM Studio
  /configured limit of (\d{3,9})/i, // OpenAI
  /with (\d{3,9}) maximum context/i, // Mistral
  /must be <= (\d{3,9})/i, // TGI
  /cannot exceed (\d{3,9})/i, // Cohere
  /n_ctx["']? ?[:=] ?(\d{3,9})/i,
];

/** Where it stands what the request had. */
const USES = [
  /too long: (\d{3,9}) tokens/i,
  /context limit: (\d{3,9}) \+/i,
  /messages resulted in (\d{3,9}) tokens/i,
  /\((\d{3,9}) (?:tokens )?in the messages/i,
  /token count \((\d{3,9})\)/i,
  /request \((\d{3,9}) tokens\)/i,
  /has (\d{3,9}) input tokens/i,
  /prompt contains (\d{3,9}) tokens/i,
  /request contains (\d{3,9}) tokens/i,
  /\(length (\d{3,9})\)/i,
  /given: (\d{3,9}) `inputs` tokens/i,
  /requested (?:about )?(\d{3,9}) tokens/i,
];

/** Whether a refusal's wording says that the conversation is too long. */
export const saysTooLong = (message = ''): boolean => SAID.test(message.slice(0, MAX_LOOKED_AT));

/** The numbers of such a wording. */
export function readOverflow(message = ''): Overflow {
  const text = message.slice(0, MAX_LOOKED_AT).replaceAll(/(\d),(?=\d{3})/g, '$1');
  return { window: firstNumber(text, WINDOWS), used: firstNumber(text, USES) };
}

function firstNumber(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const [, digits] = pattern.exec(text) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}
