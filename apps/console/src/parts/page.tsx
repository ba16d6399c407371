import { useEffect, useRef, type ReactNode } from 'react';
import { useTitle } from '../shell/document-title.js';

/** A page: its heading, what can be done with all of it, and its content. Screen readers are put at its beginning when it opens. */
export function Page({
  title,
  about,
  actions,
  wide,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  useTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main className={wide === true ? 'co-page co-page--wide' : 'co-page'}>
      <header className="co-page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about !== undefined && <p className="co-muted">{about}</p>}
        </div>
        {actions !== undefined && <div className="co-actions">{actions}</div>}
      </header>
      {children}
    </main>
  );
}
