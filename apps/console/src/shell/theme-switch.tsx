import { Icon, type IconName } from '../parts/icons.js';
import { useTheme, type Theme } from './theme.js';

const THEMES: readonly { readonly theme: Theme; readonly icon: IconName; readonly label: string }[] = [
  { theme: 'system', icon: 'system', label: 'Colours of the system' },
  { theme: 'light', icon: 'sun', label: 'Light' },
  { theme: 'dark', icon: 'moon', label: 'Dark' },
];

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  return (
    <div className="co-switch" role="group" aria-label="Colours">
      {THEMES.map((each) => (
        <button
          key={each.theme}
          type="button"
          aria-pressed={each.theme === theme}
          aria-label={each.label}
          title={each.label}
          onClick={() => choose(each.theme)}
        >
          <Icon name={each.icon} size={14} />
        </button>
      ))}
    </div>
  );
}
