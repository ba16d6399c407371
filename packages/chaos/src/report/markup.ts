/** Its holder was made here, and by nothing that came from outside. */
const MADE = Symbol('markup');

/** Text that is HTML already, because `markup` made it. */
export interface Markup {
  readonly [MADE]: string;
}

/** As it stands in a file. */
export const textOf = (made: Markup): string => made[MADE];

type Value = Markup | string | number | undefined | false | readonly Value[];

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that would make shown text lie about its order, and controls but newline and tab. */
const HIDDEN = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

const name = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** The text with what can't be seen in it written out. */
export const revealHidden = (text: string): string =>
  text.replaceAll(HIDDEN, (character) => (character === '\n' || character === '\t' ? character : name(character)));

/** Text as it stands between tags, or in an attribute in quotes. */
const escape = (text: string): string => revealHidden(text).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const show = (value: Value): string => {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return escape(value);
  if (typeof value === 'number') return String(value);
  return MADE in value ? value[MADE] : value.map(show).join('');
};

/**
 * HTML or SVG with values in it. What is no `Markup` is text and stays text, whatever it holds: only this function makes markup, so that what a
 * model, a file or a frame says never becomes a part of the page. Attributes stand in double quotes.
 */
export const markup = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  [MADE]: parts.map((part, at) => part + show(values[at])).join(''),
});

/** A value for a `<script type="application/json">`: no text in it can end the element. */
export const embedJson = (value: unknown): Markup => ({
  [MADE]: JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, name),
});

/** Text of this package, which is part of the page as it stands: its style and its script. */
export const ownText = (text: string): Markup => ({ [MADE]: text });
