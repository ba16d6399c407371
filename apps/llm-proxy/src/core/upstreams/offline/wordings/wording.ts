export type Args = Readonly<Record<string, unknown>>;

/** How one vocabulary calls one thing that the model does. */
export interface Wording {
  readonly name: string;
  /** An argument that tells it from another tool of that name; a tool without it isn't meant. */
  readonly has?: string;
  /** Its names of the canonical arguments: `{path: 'file_path'}`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Arguments beside them. */
  readonly fixed?: Args;
  /** All its arguments, where other names are not enough. */
  readonly args?: (args: Args) => Args;
  /** A read file comes as it is, without line numbers. */
  readonly isPlain?: boolean;
}

/** The arguments as the wording has them. */
export function toWorded({ names = {}, fixed, args: build }: Wording, args: Args): Args {
  if (build) return build(args);
  const renamed = Object.entries(args).map(([name, value]) => [names[name] ?? name, value] as const);
  return { ...Object.fromEntries(renamed), ...fixed };
}

/** The canonical arguments of a call that ran, which a human may have edited; those that were `planned` where they can't be told. */
export function fromWorded({ names = {}, args: build }: Wording, ran: Args, planned: Args): Args {
  if (build) return planned;
  const canonical = new Map(Object.entries(names).map(([name, worded]) => [worded, name]));
  return Object.fromEntries(Object.entries(ran).map(([name, value]) => [canonical.get(name) ?? name, value]));
}
