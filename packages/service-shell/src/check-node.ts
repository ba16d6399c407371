/** The oldest Node that works: `require(esm)` without a flag. */
const MINIMUM = [20, 19] as const;

/** The sentence for a Node that is too old, or nothing. */
export function checkNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return undefined;
  return `Node.js ${version} is too old: CodeLab needs ${MINIMUM.join('.')} or newer; get it from https://nodejs.org or your version manager.`;
}
