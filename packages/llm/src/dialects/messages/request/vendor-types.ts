/** Tools that Anthropic defined and whoever asks runs, by their family and its name. All others with a type run on Anthropic's servers. */
const FAMILIES: Readonly<Record<string, string>> = {
  bash: 'bash',
  text_editor: 'str_replace_based_edit_tool',
  memory: 'memory',
  computer: 'computer',
};

const VERSIONED = /^([a-z_]+)_\d{8}$/;

/** The name of a tool of a type such as `text_editor_20250728`; nothing for a type that only Anthropic's servers can run. */
export function findVendorName(type: string): string | undefined {
  const family = VERSIONED.exec(type)?.[1] ?? '';
  return Object.hasOwn(FAMILIES, family) ? FAMILIES[family] : undefined;
}
