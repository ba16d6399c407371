/** Where the rules of a project lie, relative to its root; each is one Markdown file. */
export const RULES_DIRECTORY = '.codelab/rules';

/** A rule for the model, as a file of {@link RULES_DIRECTORY} (or `.continue/rules`) holds it: front matter, then the text. */
export interface RuleFile {
  /** What `request_rule` calls it; where the front matter names none, the file's name without its end. */
  readonly name: string;
  /** When it is of use. */
  readonly description?: string;
  /** It is about files that one of these globs matches. */
  readonly globs?: readonly string[];
  /** It is about files whose text one of these regular expressions matches. As written: nobody has checked that they compile. */
  readonly regex?: readonly string[];
  /** `true`: always told. `false`: only where `globs` or `regex` fit, or if asked for. Absent: always, unless it has `globs` or `regex`. */
  readonly alwaysApply?: boolean;
  /** The text for the model, without blank lines around it. */
  readonly rule: string;
}

const MAX_SLUG = 60;

/** The file name that a rule of this name gets: `No any` → `no-any`. Letters and digits of any script stay. */
export const ruleSlug = (name: string): string => {
  const words =
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const slug = [...words.join('-')].slice(0, MAX_SLUG).join('').replace(/-$/, '');
  return slug || 'rule';
};
