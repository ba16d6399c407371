import type { Usage } from '@codelab/llm';

/** What a model costs, in US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Default: `input`. */
  readonly cachedInput?: number;
}

/** Prices by model name as sent upstream. A key that ends in `*` holds for every name that begins so; the longest key wins. */
export type PriceTable = Readonly<Record<string, Price>>;

/** `usage` with its cost, where the model has a price and the provider didn't say the cost itself. */
export function meterUsage(model: string, usage: Usage, prices: PriceTable): Usage {
  const price = usage.costUsd === undefined ? findPrice(model, prices) : undefined;
  if (!price) return usage;
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const dollars =
    (usage.inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input) + usage.outputTokens * price.output;
  return { ...usage, costUsd: dollars / 1_000_000 };
}

function findPrice(model: string, prices: PriceTable): Price | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  const key = Object.keys(prices)
    .filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)))
    .reduce<string | undefined>((longest, name) => (longest !== undefined && longest.length >= name.length ? longest : name), undefined);
  return key === undefined ? undefined : prices[key];
}

/** Reads a price table from JSON text: `{"gpt-5*": {"input": 1.25, "cachedInput": 0.125, "output": 10}}`. Throws a sentence that says what is wrong. */
export function parsePrices(text: string): PriceTable {
  const table = parseObject(text, 'The price table');
  return Object.fromEntries(
    Object.entries(table).map(([model, value]) => {
      const { input, output, cachedInput } = value as Partial<Record<keyof Price, unknown>>;
      const numbers = [input, output, ...(cachedInput === undefined ? [] : [cachedInput])];
      if (!numbers.every((number) => typeof number === 'number' && Number.isFinite(number) && number >= 0)) {
        throw new Error(`The price of ${JSON.stringify(model)} must be {"input", "output", "cachedInput"?} in dollars per million tokens.`);
      }
      return [model, value as Price];
    }),
  );
}

function parseObject(text: string, what: string): Record<string, object> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined; // said below
  }
  const isObject = (it: unknown): it is object => typeof it === 'object' && it !== null && !Array.isArray(it);
  if (!isObject(value) || !Object.values(value).every(isObject))
    throw new Error(`${what} must be a JSON object of model names and prices.`);
  return value as Record<string, object>;
}
