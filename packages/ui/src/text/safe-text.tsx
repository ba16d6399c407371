import { Fragment } from 'react';
import { splitUnsafe } from '@codelab/tools/human';

/**
 * Text from outside as it is: characters that are invisible, that reorder what stands beside them, or that steer a terminal are shown as a
 * marked escape, `\u{202e}`.
 */
export function SafeText({ text }: { readonly text: string }) {
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return <>{text}</>;
  return (
    <>
      {splitUnsafe(text).map((piece, index) =>
        piece.escaped ? (
          <span key={index} className="cl-escape" title="A character that can’t be seen">
            {piece.text}
          </span>
        ) : (
          <Fragment key={index}>{piece.text}</Fragment>
        ),
      )}
    </>
  );
}

/** Whether text holds characters that {@link SafeText} has to show as escapes. */
export const hidesSomething = (text: string): boolean => splitUnsafe(text).some(({ escaped }) => escaped);
