/** The arguments as people read them: one after the other, strings with their real line breaks. As they came, if they are no JSON object. */
export function prettyArguments(args: string): string {
  try {
    const value = JSON.parse(args) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return args;
    return Object.entries(value)
      .map(([name, argument]) => `${name}: ${typeof argument === 'string' ? indented(argument) : JSON.stringify(argument, null, 2)}`)
      .join('\n');
  } catch {
    return args;
  }
}

const indented = (text: string): string => (text.includes('\n') ? `\n${text.replace(/^/gm, '  ')}` : text);
