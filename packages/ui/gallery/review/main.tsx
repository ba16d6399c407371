import { createRoot } from 'react-dom/client';
import { PAGES } from './pages.js';

const wanted = new URLSearchParams(location.search);
const Page = PAGES[wanted.get('page') ?? 'diff'] ?? PAGES['diff']!;
const theme = wanted.get('theme');
if (theme !== null) document.documentElement.dataset['theme'] = theme;

createRoot(document.getElementById('root')!).render(
  <div className="cl gallery">
    <main>
      <h1>{wanted.get('page') ?? 'diff'}</h1>
      <Page />
    </main>
  </div>,
);
