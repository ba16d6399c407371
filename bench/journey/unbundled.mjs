/** Makes services run from their separate files in the place of their bundle, so that what is called can be told by file. */
import { register } from 'node:module';

const hooks = `export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  return { ...resolved, url: resolved.url.replace(/(\\/apps\\/(?:gateway|agent-runtime|llm-proxy)\\/dist)\\/main\\.js$/, '$1/edge/main.js') };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
