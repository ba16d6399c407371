/** A rule of Prometheus' `relabel_configs`. */
export interface RelabelRule {
  readonly source_labels?: readonly string[];
  readonly regex?: string;
  readonly action?: string;
  readonly target_label?: string;
  readonly replacement?: string;
}

type Labels = Readonly<Record<string, string>>;

/** What Prometheus makes of a target's labels, as far as our rules go: `keep` and `replace`. `undefined`: it is not scraped. */
export function relabel(labels: Labels, rules: readonly RelabelRule[]): Labels | undefined {
  let found = labels;
  for (const { source_labels = [], regex = '(.*)', action = 'replace', target_label, replacement = '$1' } of rules) {
    const match = new RegExp(`^(?:${regex})$`, 's').exec(source_labels.map((name) => found[name] ?? '').join(';'));
    if (action === 'keep') {
      if (match === null) return undefined;
    } else if (action === 'replace' && target_label !== undefined) {
      if (match !== null)
        found = { ...found, [target_label]: replacement.replaceAll(/\$(\d)/g, (_, at: string) => match[Number(at)] ?? '') };
    } else {
      throw new Error(`no rule that the tests know: ${action}`);
    }
  }
  return found;
}
