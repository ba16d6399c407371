import { memo, type ReactNode } from 'react';
import type { MarkedToken, Token, Tokens } from 'marked';
import { SafeText } from '../text/safe-text.js';
import { LongText } from '../text/long-text.js';
import { CodeBlock } from './code-block.js';
import { Inline } from './inline.js';
import { lexBlock } from './lex-block.js';

const MAX_DEPTH = 20;

/** A block of Markdown, drawn anew only when its source changes. */
export const Block = memo(function Block({ source }: { readonly source: string }) {
  const tokens = lexBlock(source);
  return tokens === undefined ? <LongText text={source} /> : <Blocks tokens={tokens} depth={0} />;
});

function Blocks({ tokens, depth }: { readonly tokens: readonly Token[] | undefined; readonly depth: number }): ReactNode {
  return tokens?.map((token, index) => <BlockToken key={index} token={token as MarkedToken} depth={depth} />);
}

function BlockToken({ token, depth }: { readonly token: MarkedToken; readonly depth: number }): ReactNode {
  if (depth > MAX_DEPTH) return <SafeText text={token.raw} />;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return (
        <p className={`cl-heading cl-heading--${Math.min(token.depth, 4)}`} role="heading" aria-level={Math.min(token.depth + 2, 6)}>
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} depth={depth + 1} />
        </blockquote>
      );
    case 'list':
      return <List token={token} depth={depth} />;
    case 'code':
      return <CodeBlock code={token.text} language={token.lang ?? ''} />;
    case 'table':
      return <Table token={token} />;
    case 'hr':
      return <hr />;
    case 'html':
      return (
        <p className="cl-raw">
          <SafeText text={token.raw.trimEnd()} />
        </p>
      );
    default:
      return <Inline tokens={[token]} />;
  }
}

function List({ token, depth }: { readonly token: Tokens.List; readonly depth: number }) {
  const items = token.items.map((item, index) => (
    <li key={index} className={item.task ? 'cl-task' : undefined}>
      <Blocks tokens={item.tokens} depth={depth + 1} />
    </li>
  ));
  return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token }: { readonly token: Tokens.Table }) {
  const cell = (one: Tokens.TableCell, index: number, Tag: 'th' | 'td') => (
    <Tag key={index} className={one.align === null ? undefined : `cl-${one.align}`}>
      <Inline tokens={one.tokens} />
    </Tag>
  );
  return (
    <div className="cl-table" role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>{token.header.map((one, index) => cell(one, index, 'th'))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{row.map((one, column) => cell(one, column, 'td'))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
