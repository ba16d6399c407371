import { Fragment, type ReactNode } from 'react';
import type { MarkedToken, Token } from 'marked';
import { SafeText } from '../text/safe-text.js';
import { MarkdownLink } from './markdown-link.js';

/** Levels of emphasis and links in each other; what is deeper is shown as it is. */
const MAX_DEPTH = 12;

/** What stands inside a paragraph. HTML is text here, and an image is a link: nothing is fetched that people didn't ask for. */
export function Inline({ tokens, depth = 0 }: { readonly tokens: readonly Token[] | undefined; readonly depth?: number }): ReactNode {
  return tokens?.map((token, index) => <Fragment key={index}>{drawToken(token as MarkedToken, depth)}</Fragment>);
}

function drawToken(token: MarkedToken, depth: number): ReactNode {
  if (depth > MAX_DEPTH) return <SafeText text={token.raw} />;
  const inner = 'tokens' in token && token.tokens ? <Inline tokens={token.tokens} depth={depth + 1} /> : undefined;
  switch (token.type) {
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <del>{inner}</del>;
    case 'codespan':
      return (
        <code>
          <SafeText text={decodeEntities(token.text)} />
        </code>
      );
    case 'br':
      return <br />;
    case 'link':
      return <MarkdownLink href={token.href}>{inner}</MarkdownLink>;
    case 'image':
      return <MarkdownLink href={token.href}>Image: {token.text === '' ? token.href : token.text}</MarkdownLink>;
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} readOnly disabled aria-label={token.checked ? 'done' : 'open'} />;
    case 'text':
      return inner ?? <SafeText text={decodeEntities(token.text)} />;
    case 'escape':
      return <SafeText text={token.text} />;
    default:
      return <SafeText text={token.raw} />;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', '#39': "'" };

/** `&lt;` as people read it: models write some, and the lexer leaves them. */
const decodeEntities = (text: string): string => text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => ENTITIES[name]!);
