/** More names than that fill the screen. */
const MAX_SHOWN = 60;

/** The models that `/model NAME` takes, in words. */
export function describeModels(names: readonly string[] | undefined): string {
  if (names === undefined) return '`GET /v1/models` of the llm-proxy behind this gateway lists the models.';
  const left = names.length - MAX_SHOWN;
  return `There are: ${names.slice(0, MAX_SHOWN).join(', ')}${left > 0 ? `, and ${String(left)} more` : ''}.`;
}
