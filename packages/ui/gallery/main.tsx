import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SessionProvider, SessionScreen } from '@codelab/ui';
import '@codelab/ui/styles.css';
import './gallery.css';
import { FIXTURES } from './fixtures/index.js';
import { GalleryPort } from './gallery-port.js';

/** `?fixture=short&theme=dark`: one session that was played before the page is drawn. Tests go on with it by `gallery`. */
const wishes = new URLSearchParams(location.search);
const theme = wishes.get('theme');
if (theme !== null) document.documentElement.dataset['theme'] = theme;
const name = wishes.get('fixture') ?? 'short';
const fixture = FIXTURES[name];
const root = createRoot(document.getElementById('root')!);

if (fixture === undefined) root.render(<p>{`There is no fixture ${name}: there are ${Object.keys(FIXTURES).join(', ')}.`}</p>);
else {
  const port = new GalleryPort(fixture);
  Object.assign(globalThis, { gallery: port });
  root.render(
    <StrictMode>
      <SessionProvider port={port}>
        <SessionScreen />
      </SessionProvider>
    </StrictMode>,
  );
}
