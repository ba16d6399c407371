#!/usr/bin/env bash
# Writes the digests that the registry gives now into docker-compose.yml and Dockerfile, for the tags that stand there or are named:
#   scripts/pin-images.sh [node=24.18.0-bookworm-slim] [redis=7.4.9-alpine] [caddy=2.11.4-alpine]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/docker-images.sh

for kind in node redis caddy; do
  image=$(pinned docker-compose.yml $kind)
  tag=${image#*:} tag=${tag%@*}
  for wish; do case $wish in "$kind="*) tag=${wish#*=} ;; esac; done
  digest=$(docker buildx imagetools inspect --format '{{json .Manifest.Digest}}' "$kind:$tag" | tr -d '"')
  [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "the registry gives no digest for $kind:$tag" >&2; exit 1; }
  sed -i "s|$kind:[^ @}]*@sha256:[0-9a-f]\{64\}|$kind:$tag@$digest|" docker-compose.yml Dockerfile
  echo "$kind:$tag@$digest"
done
