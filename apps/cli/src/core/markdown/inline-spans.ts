import type { Token, Tokens } from 'marked';
import type { Span, Style } from '../text/span.js';
import { dimMasks } from '../text/secret-masks.js';
import { STYLES } from '../text/span.js';

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ' };

/** Turns the inline tokens of a Markdown block into spans. A link shows where it leads whenever its text doesn't. */
export function inlineSpans(tokens: readonly Token[] | undefined, style: Style = {}, marks = false): readonly Span[] {
  return (tokens ?? []).flatMap((token) => inlineSpan(token as Tokens.Generic, style, marks));
}

function inlineSpan(token: Tokens.Generic, style: Style, marks: boolean): readonly Span[] {
  const inner = (extra: Style): readonly Span[] => inlineSpans(token.tokens, { ...style, ...extra }, marks);
  switch (token.type) {
    case 'strong':
      return inner({ bold: true });
    case 'em':
      return inner({ italic: true });
    case 'del':
      return inner({ strike: true });
    case 'codespan': {
      const code = String(token.text);
      return [{ text: marks ? `\`${code}\`` : code, style: { ...style, ...STYLES.code } }];
    }
    case 'br':
      return [{ text: '\n', style }];
    case 'image':
      return [{ text: `[image: ${String(token.text || token.href)}]`, style: { ...style, ...STYLES.muted } }];
    case 'link':
      return linkSpans(token as Tokens.Link, inner({ underline: true }));
    case 'checkbox':
      return [{ text: token.checked ? '☑ ' : '☐ ', style }];
    default:
      return token.tokens ? inner({}) : dimMasks({ text: decodeEntities(String(token.text ?? token.raw)), style });
  }
}

function linkSpans(token: Tokens.Link, text: readonly Span[]): readonly Span[] {
  const shown = text.map((part) => part.text).join('');
  if (shown === token.href || `mailto:${shown}` === token.href) return text;
  return [...text, { text: ` (${token.href})`, style: STYLES.muted }];
}

const decodeEntities = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
