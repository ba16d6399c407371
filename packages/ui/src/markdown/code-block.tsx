import { memo } from 'react';
import { sanitiseLine } from '@codelab/tools/human';
import { CodeText } from '../code/code-text.js';
import { highlightLines } from '../code/highlight-code.js';
import { SafeText } from '../text/safe-text.js';
import { LongText } from '../text/long-text.js';
import { CopyButton } from '../text/copy-button.js';

/** Longer code is shown without colours: they are for reading, and must not cost a frame. While it is written, less. */
const MAX_COLOURED = 40_000;
const MAX_COLOURED_LIVE = 8_000;

interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** It is being written. */
  readonly live?: boolean;
}

/** Code in its colours, with a way to copy it. */
export const CodeBlock = memo(function CodeBlock({ code, language, live = false }: CodeBlockProps) {
  const coloured = code.length <= (live ? MAX_COLOURED_LIVE : MAX_COLOURED);
  return (
    <figure className="cl-code">
      <figcaption className="cl-code__head">
        <span className="cl-code__language">
          <SafeText text={language.slice(0, 40)} />
        </span>
        <CopyButton text={code} what="code" />
      </figcaption>
      <pre tabIndex={0} aria-label={language === '' ? 'Code' : `Code, ${sanitiseLine(language, 40)}`}>
        <code>{coloured ? <Lines code={code} language={language} /> : <LongText text={code} />}</code>
      </pre>
    </figure>
  );
});

function Lines({ code, language }: { readonly code: string; readonly language: string }) {
  return highlightLines(code, language).map((pieces, index) => (
    <span key={index}>
      {index > 0 && '\n'}
      <CodeText pieces={pieces} />
    </span>
  ));
}
