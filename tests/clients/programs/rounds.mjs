/** What every program asks, and the tools that it gives the model: `add` and `weather`, once both at once, then `add` alone. */
export const QUESTION = 'What is 2 + 3, what is that + 10, and how is the weather in 서울?';
export const SYSTEM = 'Use the tools.';

export const run = {
  add: ({ a, b }) => String(a + b),
  weather: ({ city }) => `sunny in ${city}`,
};

export const description = { add: 'Adds two numbers.', weather: 'Tells the weather of a city.' };

export const schema = {
  add: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'], additionalProperties: false },
  weather: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
};

export const TOOLS = ['add', 'weather'];

const { PROXY_URL, PROXY_TOKEN } = process.env;
/** The proxy as clients want it: most with `/v1`, Anthropic's without. */
export const origin = PROXY_URL;
export const baseURL = `${PROXY_URL}/v1`;
export const apiKey = PROXY_TOKEN;

/**
 * Runs scenarios, each with a model name of its own, so that what the upstream was asked can be told apart, and prints as one line of JSON
 * what came of each: a value, or the error that it threw.
 *
 * @param scenarios name → (model) => value; the name of the model begins with `gpt-` or `claude-`, which chooses the upstream
 * @param families the upstreams to ask
 */
export async function runScenarios(prefix, scenarios, families = ['gpt', 'claude']) {
  const results = {};
  for (const [name, scenario] of Object.entries(scenarios)) {
    for (const family of families) {
      const model = `${family}-${prefix}-${name}`;
      try {
        results[model] = { value: await scenario(model) };
      } catch (error) {
        results[model] = { error: describe(error) };
      }
    }
  }
  console.log(JSON.stringify(results));
}

/** What a program can read off an error without knowing its text by heart. */
export const describe = (error) => ({
  name: error?.constructor?.name,
  message: error?.message,
  status: error?.status ?? error?.statusCode,
  code: error?.code ?? undefined,
  param: error?.param ?? undefined,
  type: error?.type ?? undefined,
});

/** What `act` threw; the test fails on what it gave instead. */
export async function thrown(act) {
  try {
    return { nothing: await act() };
  } catch (error) {
    return describe(error);
  }
}
