#!/usr/bin/env bash
# Proves docker-compose.yml on a real Docker engine: build, up, a turn, more runtimes, kills, a rolling restart, down.
# Needs a running engine and nothing else; ports and names are its own, so it can run beside a stack in use.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '[compose %4ss] %s\n' "$SECONDS" "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

docker info >/dev/null 2>&1 || fail 'no Docker engine answers: start one (https://docs.docker.com/engine/install), then run this again.'
docker compose version >/dev/null 2>&1 || fail 'docker compose v2 is missing: install the compose plugin.'

free_port() { node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }
GATEWAY_PORT=$(free_port) LLM_PROXY_PORT=$(free_port)
export COMPOSE_PROJECT_NAME=codelab-check-$$ GATEWAY_PORT LLM_PROXY_PORT CODELAB_MODEL=offline
unset CODELAB_TOKENS OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY ANTHROPIC_BASE_URL REDIS_URL
# The images get their dependencies from where this machine does.
registry=$(npm config get registry 2>/dev/null || true)
if [ -n "$registry" ] && [ "$registry" != https://registry.npmjs.org/ ]; then export NPM_CONFIG_REGISTRY=$registry; fi

work=$(mktemp -d)
declare -a pids
compose() { docker compose --progress quiet "$@"; }
cleanup() {
  status=$?
  if [ $status -ne 0 ]; then compose ps --all >&2 || true; compose logs --tail 40 >&2 || true; fi
  compose down --volumes --remove-orphans --timeout 5 >&2 || true
  rm -rf "$work"
}
trap cleanup EXIT

# turn <folder> <prompt>: one turn of a client on this machine, through the gateway; its frames are in <folder>.frames
turn() {
  CODELAB_DATA_DIR="$work/data-$(basename "$1")" CODELAB_TOKEN=$token ./codelab exec --workspace "$1" --url "$url" --approve all --json "$2" \
    >>"$1.frames" 2>"$1.log" || { cat "$1.log" >&2; fail "the turn \"$2\" did not complete"; }
}
repository() {
  mkdir -p "$1" && git -C "$1" init -q
  printf '# Check\n' >"$1/README.md"
}
url=ws://127.0.0.1:$GATEWAY_PORT/ws
count() { compose ps --status running --quiet "$1" | wc -l; }

say 'building the images'
compose build
say 'starting everything'
compose up --wait --wait-timeout 120
token=$(compose exec -T gateway codelab token)
[ "${#token}" -ge 32 ] || fail 'codelab token printed no token'
for service in gateway agent-runtime llm-proxy; do
  [ "$(compose exec -T "$service" id -u)" != 0 ] || fail "$service runs as root"
done
[ "$(compose exec -T redis redis-cli config get appendfsync | tail -n 1)" = always ] || fail 'Redis does not write before it answers'

say 'a turn through the gateway'
repository "$work/first"
turn "$work/first" 'create notes.txt with "Hello", then read README.md'
[ "$(cat "$work/first/notes.txt")" = Hello ] || fail 'the turn left no notes.txt'
grep -q '"type":"turn_ended".*"status":"completed"' "$work/first.frames" || fail 'no completed turn_ended'

say 'programs ask the proxy, in three dialects'
ask() { # ask <path> <body>: an answer of llm-proxy, or nothing
  ask_url=http://127.0.0.1:$LLM_PROXY_PORT$1 ask_body=$2 ask_token=$token node -e '
    const { ask_url: url, ask_body: body, ask_token: token } = process.env;
    fetch(url, { method: "POST", body, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } })
      .then(async (answer) => { console.log(await answer.text()); process.exit(answer.ok ? 0 : 1); })'
}
said='{"model":"offline","max_tokens":100,"messages":[{"role":"user","content":"help"}]'
ask /v1/chat/completions "$said}" | grep -q '"finish_reason":"stop"' || fail 'no answer to a chat completion'
ask /v1/chat/completions "$said,\"stream\":true}" | grep -q '^data: \[DONE\]' || fail 'no end of a streamed chat completion'
ask /v1/messages "$said}" | grep -q '"stop_reason":"end_turn"' || fail 'no answer to a message'
ask /v1/responses '{"model":"offline","input":"help"}' | grep -q '"status":"completed"' || fail 'no answer to a response'

say 'three runtimes'
compose up --wait --wait-timeout 120 --no-recreate --scale agent-runtime=3
[ "$(count agent-runtime)" = 3 ] || fail 'there are not three runtimes'

# during <what> <command…>: the command runs in the middle of four clients' turns of twenty steps; each completes with one effect a step
during() {
  say "$1"
  local name=${1// /-} client step wish=''
  shift
  for step in $(seq 20); do wish+="create step-$step.txt with \"$step\", then "; done
  for client in 1 2 3 4; do
    repository "$work/$name-$client"
    turn "$work/$name-$client" "${wish}read README.md" &
    pids[client]=$!
  done
  for client in 1 2 3 4; do
    until grep -q '"type":"tool_call"' "$work/$name-$client.frames" 2>/dev/null; do
      kill -0 "${pids[client]}" 2>/dev/null || fail "a turn ended before it began: $name"
      sleep 0.1
    done
  done
  "$@"
  for client in 1 2 3 4; do
    wait "${pids[client]}" || fail "a turn was lost: $name"
    for step in $(seq 20); do [ "$(cat "$work/$name-$client/step-$step.txt")" = "$step" ] || fail "no effect of step $step: $name"; done
    [ "$(grep -c '"type":"turn_ended"' "$work/$name-$client.frames")" = 1 ] || fail "not one end of the turn: $name"
  done
}
revive() { # kills the first container of a service, as a crash would, and starts it again
  local container
  container=$(compose ps --quiet "$1" | sed -n 1p)
  docker kill "$container" >/dev/null
  docker start "$container" >/dev/null
}

during 'a runtime is killed' revive agent-runtime
during 'the gateway is killed' revive gateway
during 'the proxy is killed' revive llm-proxy
during 'Redis is killed' revive redis
during 'a rolling restart' compose restart agent-runtime llm-proxy gateway

say 'the gateway is replaced'
compose up --wait --wait-timeout 120 --force-recreate --no-deps gateway
[ "$(compose exec -T gateway codelab token)" = "$token" ] || fail 'the token did not outlive the gateway'
turn "$work/first" 'read notes.txt'
say 'passed'
