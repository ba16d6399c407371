import { createRoot } from 'react-dom/client';
import { EMPTY_VIEW } from '@codelab/ui';

const root = document.getElementById('root');
if (root) createRoot(root).render(<p>{EMPTY_VIEW.link}</p>);
