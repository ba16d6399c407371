/** Models with a label of their own. Their names come from users: without a bound anybody could fill the registry. */
const MAX_MODELS = 100;

/** The labels of models, of which there are only so many. */
export class LabelBound {
  private readonly known = new Set<string>();

  /** The label of a model: its name, or `other`. */
  of(model: string): string {
    if (this.known.size < MAX_MODELS) this.known.add(model);
    return this.known.has(model) ? model : 'other';
  }
}
