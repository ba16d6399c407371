import type { CodeIndexOptions } from '@codelab/workspace';

type EmbeddingsClient = NonNullable<CodeIndexOptions['embeddings']>;

interface EmbeddingsEndpoint {
  /** Without `/embeddings`, and without a slash at its end. */
  readonly url: string;
  readonly model: string;
  /** What is presented there, if anything is. */
  readonly token: () => Promise<string | undefined>;
}

interface Answer {
  readonly data?: readonly { readonly index?: number; readonly embedding?: readonly number[] }[];
}

/** Asks an endpoint in the shape of OpenAI's `/v1/embeddings`, such as that of llm-proxy. */
export function embeddingsClient({ url, model, token }: EmbeddingsEndpoint): EmbeddingsClient {
  return {
    model,
    async embed(input, signal) {
      const bearer = await token();
      const headers = new Headers({ 'content-type': 'application/json' });
      if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
      const body = JSON.stringify({ model, input, encoding_format: 'float' });
      const response = await fetch(`${url}/embeddings`, { method: 'POST', headers, body, signal, redirect: 'error' });
      if (!response.ok) throw new Error(`${url}/embeddings answers ${String(response.status)}`);
      const { data = [] } = (await response.json()) as Answer;
      const vectors = [...data].sort((one, other) => (one.index ?? 0) - (other.index ?? 0)).map(({ embedding = [] }) => embedding);
      if (vectors.length !== input.length || vectors.some((vector) => vector.length === 0))
        throw new Error(`${url}/embeddings answers with ${String(vectors.length)} vectors for ${String(input.length)} texts`);
      return vectors;
    },
  };
}
