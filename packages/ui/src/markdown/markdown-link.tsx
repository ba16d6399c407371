import type { ReactNode } from 'react';
import { usePort } from '../port/session-context.js';
import { readLink } from './safe-link.js';

/** A link of a model. Where it leads nowhere that is safe, it is text, with its address beside it. */
export function MarkdownLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const port = usePort();
  const target = readLink(href);
  if (target.kind === 'file' && port.openFile)
    return (
      <button type="button" className="cl-link" onClick={() => port.openFile?.(target.path, target.line)}>
        {children}
      </button>
    );
  if (target.kind !== 'address') return <span className="cl-link--none">{children}</span>;
  const openLink = port.openLink?.bind(port);
  return (
    <a
      className="cl-link"
      href={target.url}
      title={target.url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={(event) => {
        if (openLink === undefined) return;
        event.preventDefault();
        openLink(target.url);
      }}
    >
      {children}
    </a>
  );
}
