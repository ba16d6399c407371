# One build, one image per service: docker build --target gateway .   (agent-runtime, llm-proxy)
# NODE_IMAGE is another base, for both stages; NPM_CONFIG_REGISTRY, where set, is the registry that the dependencies come from.
ARG NODE_IMAGE=node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
FROM ${NODE_IMAGE} AS build
ARG NPM_CONFIG_REGISTRY
ENV CI=true TURBO_TELEMETRY_DISABLED=1
WORKDIR /app
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml ./
RUN npm install --global "$(node -p 'require("./package.json").packageManager')" && pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline && pnpm --silent run build
# What runs: the services, a file each, and codelab with its dependencies.
RUN rm -rf node_modules */node_modules */*/node_modules \
 && pnpm install --prod --frozen-lockfile --offline --filter '@codelab/cli...' \
 && rm -rf .turbo */*/.turbo */*/src packages/testkit tests bench scripts

FROM ${NODE_IMAGE} AS service
ENV NODE_ENV=production HOST=0.0.0.0 CODELAB_DATA_DIR=/data
RUN printf '#!/bin/sh\nexec node --enable-source-maps /app/apps/cli/dist/bundle/main.js "$@"\n' >/usr/local/bin/codelab \
 && chmod +x /usr/local/bin/codelab && mkdir /data && chown node:node /data
COPY --from=build /app /app
WORKDIR /app
USER node
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

FROM service AS gateway
ENV GATEWAY_PORT=8000 HEALTH_PORT=8000
EXPOSE 8000
CMD ["node", "apps/gateway/dist/main.js"]

FROM service AS agent-runtime
ENV RUNTIME_PORT=8001 HEALTH_PORT=8001
EXPOSE 8001
CMD ["node", "apps/agent-runtime/dist/main.js"]

FROM service AS llm-proxy
ENV LLM_PROXY_PORT=8002 HEALTH_PORT=8002
EXPOSE 8002
CMD ["node", "apps/llm-proxy/dist/main.js"]
