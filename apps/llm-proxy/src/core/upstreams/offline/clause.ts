import { literalsIn, shield, unshield, type Literal } from './literals.js';

/** One wish in a request: `read a.txt` of `read a.txt, then create b.txt with 'x'`. */
export interface Clause {
  /** With marks for literals; begins with the verb. */
  readonly text: string;
  readonly literals: readonly Literal[];
  /** It waits for what stands before it: `then`. */
  readonly after: boolean;
}

/** Words before a verb that ask for nothing. */
const FILLER =
  /^(?:(?:hi|hello|hey|hey there|please|pls|kindly|ok|okay|now|also|just|first|next|finally|afterwards|can you|could you|would you|will you|i(?:'d| would) like you to|i (?:want|need)(?: you)? to|let(?:'s| us)|go ahead and|and|then|пожалуйста|сначала|потом|затем|теперь|먼저|그리고|이제)(?![\p{L}\p{N}])|[\s,!.:;-])+/iu;

/** What a wish begins with. Only such a word makes a comma, an `and` or a line break the end of the wish before. */
const VERB =
  /^(?:read|fetch|google|browse|show|open|cat|print|display|view|look at|see|list|ls|search|grep|find|look for|where is|diff|git|create|write|make|mkdir|save|add|append|put|replace|change|substitute|rename|move|mv|delete|remove|rm|apply|review|run|execute|start|launch|stop|kill|switch|checkout|status|commit|ask|prompt|confirm|what|tell|прочитай|прочти|покажи|открой|найди|поищи|создай|запиши|напиши|замени|удали|переименуй|запусти|выполни|спроси|закоммить)(?![\p{L}\p{N}_])/iu;

const SEPARATOR =
  /(?:[\s,.]*\n\s*|\s*;\s*|[.!?]\s+|,?\s+(?:and|и|а)\s+(?:(?:then|also|затем|потом)\s+)?|,?\s+(?:then|затем|потом)\s+|,\s+|\s*그리고\s*)/giu;
/** `in a.txt, replace …`: where to do it, not what. */
const PLACE = /^\s*(?:in|inside|from|within)\s+(?:(?:the|file)\s+)*\S+$/i;
const THEN = /then|затем|потом|;|\n/i;

/** Cuts a request into wishes. A separator cuts only where what follows begins like a wish. */
export function splitClauses(request: string): Clause[] {
  const { text, literals } = shield(request);
  const clauses: Clause[] = [];
  let start = 0;
  let after = false;
  const push = (end: number) => {
    const wish = text.slice(start, end).replace(FILLER, '').trim();
    if (wish !== '') clauses.push({ text: wish, literals, after });
  };
  for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
    const next = index + separator.length;
    const rest = text.slice(next);
    if (!VERB.test(rest.replace(FILLER, '')) || PLACE.test(text.slice(start, index))) continue;
    push(index);
    start = next;
    const fillers = rest.slice(0, rest.length - rest.replace(FILLER, '').length);
    after = THEN.test(separator) || THEN.test(fillers);
  }
  push(text.length);
  return clauses;
}

/** A part of a clause as the person wrote it, without the marks. */
export function plain(part: string, { literals }: Clause): string {
  return unshield(part.trim(), literals);
}

/** The quoted texts and code blocks of a clause. */
export function quoted({ text, literals }: Clause): Literal[] {
  return literalsIn(text, literals);
}
