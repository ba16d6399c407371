import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { go } from './route.js';

/** A link within this page: a click goes there without loading anything; with a key held, or another button, browsers do what they do. */
export function Link({ to, children, ...more }: AnchorHTMLAttributes<HTMLAnchorElement> & { to: string; children: ReactNode }) {
  const onClick = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...more} href={to} onClick={onClick}>
      {children}
    </a>
  );
}
