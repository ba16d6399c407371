# Sourced by the checks that need Docker. The callers define say and fail.

# pinned <file> <name>: the image that a file names by digest: pinned Dockerfile node
pinned() { sed -n "s/.*\($2:[^ @}]*@sha256:[0-9a-f]\{64\}\).*/\1/p" "$1" | sed -n 1p; }

# usable <image by digest>: the image, or where no registry gives it, the one of the same kind that this machine has under a tag.
usable() {
  if docker image inspect "$1" >/dev/null 2>&1 || docker pull --quiet "$1" >/dev/null 2>&1; then
    echo "$1"
    return
  fi
  local tag
  case $1 in node:*) tag=node:24-bookworm-slim ;; redis:*) tag=redis:7-alpine ;; caddy:*) tag=caddy:2-alpine ;; esac
  docker image inspect "$tag" >/dev/null 2>&1 || { [ "$tag" = caddy:2-alpine ] && build_caddy; } || return 1
  say "no registry gives $1: $tag of this machine stands in for it"
  echo "$tag"
}

# Debian's Caddy, laid out as the official image is.
build_caddy() {
  docker build --quiet --tag caddy:2-alpine - >/dev/null <<'END'
FROM node:24-bookworm-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends caddy wget >/dev/null && rm -rf /var/lib/apt/lists/*
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
WORKDIR /srv
ENTRYPOINT []
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
END
}

# The dependencies come from where this machine gets them.
use_npm_registry() {
  local registry
  registry=$(npm config get registry 2>/dev/null || true)
  if [ -n "$registry" ] && [ "$registry" != https://registry.npmjs.org/ ]; then export NPM_CONFIG_REGISTRY=$registry; fi
}
