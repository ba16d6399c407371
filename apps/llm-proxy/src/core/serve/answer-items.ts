import type { Owner } from '@codelab/bus';

/** 16 million characters: some thousand answers of usual length. */
const MAX_CHARACTERS = 16_000_000;

interface StoredItem {
  readonly item: object;
  readonly characters: number;
}

/**
 * Items of answers of `/v1/responses` that callers may refer to by id in a later request, as the AI SDK does. Held in memory, the oldest go
 * first; another replica doesn't know them, and a reference to one that is gone is refused by name.
 */
export class AnswerItems {
  private readonly items = new Map<string, StoredItem>();
  private characters = 0;

  constructor(private readonly maxCharacters = MAX_CHARACTERS) {}

  keep(owner: Owner, id: string, item: object): void {
    const key = keyOf(owner, id);
    this.forget(key);
    const kept = { item, characters: JSON.stringify(item).length };
    this.items.set(key, kept);
    this.characters += kept.characters;
    for (const oldest of this.items.keys()) {
      if (this.characters <= this.maxCharacters) return;
      this.forget(oldest);
    }
  }

  find(owner: Owner, id: string): object | undefined {
    return this.items.get(keyOf(owner, id))?.item;
  }

  private forget(key: string): void {
    this.characters -= this.items.get(key)?.characters ?? 0;
    this.items.delete(key);
  }
}

const keyOf = ({ tenant, sub }: Owner, id: string): string => JSON.stringify([tenant, sub, id]);
