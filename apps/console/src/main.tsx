import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@codelab/ui/styles.css';
import './styles/index.css';
import { App } from './app.js';
import { preload } from './pages/pages.js';
import { readTheme, showTheme } from './shell/theme.js';

showTheme(readTheme());
preload(location.pathname); // while it is asked who is signed in
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element "root".');
createRoot(root).render(<App />);
