/** What a provider said of which call a fragment belongs to. */
interface Marks {
  readonly wireIndex: number | undefined;
  readonly id: string | undefined;
}

/** The calls with one id: the last one of each index, with its place among all calls. */
type SameId<Call> = Map<number | undefined, { readonly call: Call; readonly place: number }>;

/** Finds the calls of an answer by what a provider calls them, in a time that doesn't grow with their number. */
export class CallFinder<Call extends Marks> {
  private readonly byId = new Map<string, { readonly byIndex: SameId<Call>; last: Call }>();
  private readonly byIndex = new Map<number | undefined, Call>();
  private places = 0;

  /** Takes a call that has begun. */
  add(call: Call): void {
    this.byIndex.set(call.wireIndex, call);
    this.addId(call);
  }

  /** Takes the id of a call, which may come late. A call keeps its id, and no call before it has the same one. */
  addId(call: Call): void {
    const { id, wireIndex } = call;
    if (id === undefined) return;
    const sameId = this.byId.get(id) ?? { byIndex: new Map(), last: call };
    sameId.last = call;
    sameId.byIndex.set(wireIndex, { call, place: this.places++ });
    this.byId.set(id, sameId);
  }

  /** The last call with an id. */
  lastWithId(id: string): Call | undefined {
    return this.byId.get(id)?.last;
  }

  /** The last call with an id and an index; a call without index and a fragment without index (`undefined`) may have any. */
  lastWithIdAt(id: string, wireIndex: number | undefined): Call | undefined {
    const sameId = this.byId.get(id);
    if (wireIndex === undefined || sameId === undefined) return sameId?.last;
    const [exact, open] = [sameId.byIndex.get(wireIndex), sameId.byIndex.get(undefined)];
    return (exact?.place ?? -1) > (open?.place ?? -1) ? exact?.call : open?.call;
  }

  /** The last call with an index. */
  lastAt(wireIndex: number): Call | undefined {
    return this.byIndex.get(wireIndex);
  }
}
