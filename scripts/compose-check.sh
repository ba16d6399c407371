#!/usr/bin/env bash
# Proves docker-compose.yml on a real Docker engine: build, up, a turn, more of each service, kills, a rolling restart, TLS, down.
# Needs a running engine and nothing else; ports and names are its own, so it can run beside a stack in use.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/docker-images.sh

say() { printf '[compose %4ss] %s\n' "$SECONDS" "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

docker info >/dev/null 2>&1 || fail 'no Docker engine answers: start one (https://docs.docker.com/engine/install), then run this again.'
docker compose version >/dev/null 2>&1 || fail 'docker compose v2 is missing: install the compose plugin.'

free_port() { node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }
GATEWAY_PORT=$(free_port) LLM_PROXY_PORT=$(free_port)
export COMPOSE_PROJECT_NAME=codelab-check-$$ GATEWAY_PORT LLM_PROXY_PORT CODELAB_MODEL=offline
unset CODELAB_TOKENS OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY ANTHROPIC_BASE_URL REDIS_URL
unset CODELAB_DOMAIN CODELAB_PUBLISH CODELAB_MODELS_FILE CODELAB_TOOLS_FILE
use_npm_registry
for kind in node redis caddy; do
  image=$(usable "$(pinned docker-compose.yml $kind)") || fail "the image of $kind is neither here nor in a registry that can be reached."
  export "CODELAB_${kind^^}_IMAGE=$image"
done

work=$(mktemp -d)
declare -a pids
compose() { docker compose --progress quiet "$@"; }
cleanup() {
  status=$?
  if [ $status -ne 0 ]; then compose ps --all >&2 || true; compose logs --tail 40 >&2 || true; fi
  compose down --volumes --remove-orphans --timeout 5 >&2 || true
  if [ -n "${upstream:-}" ]; then kill "$upstream" || true; fi
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

say 'an upstream that holds its answer back'
scripts/held-upstream.mjs >"$work/upstream" &
upstream=$!
until [ -s "$work/upstream" ]; do kill -0 $upstream || fail 'the upstream did not start'; sleep 0.1; done
upstream_port=$(cat "$work/upstream")
export OPENAI_BASE_URL=http://host.docker.internal:$upstream_port/v1

say 'building the images'
compose build
say 'starting everything'
compose up --wait --wait-timeout 120
token=$(compose exec -T gateway codelab token)
[ "${#token}" -ge 32 ] || fail 'codelab token printed no token'
for service in gateway agent-runtime llm-proxy; do
  [ "$(compose exec -T "$service" id -u)" != 0 ] || fail "$service runs as root"
done
redis() { compose exec -T redis sh -c 'REDISCLI_AUTH=$(cat /run/codelab/redis-password) redis-cli "$@"' redis-cli "$@"; }
[ "$(redis config get appendfsync | tail -n 1)" = always ] || fail 'Redis does not write before it answers'
compose exec -T redis redis-cli ping | grep -q NOAUTH || fail 'Redis answers without a password'
[ "$(redis config get requirepass | tail -n 1 | tr -d '\r\n' | wc -c)" = 64 ] || fail 'the password of Redis is not a generated one'
compose exec -T gateway codelab doctor | grep -q 'answers on redis:6379' || fail 'doctor in a container does not reach Redis'

# console_cookie <origin>: the name of the cookie that a sign-in at the console of this origin sets
console_cookie() {
  node --input-type=module -e '
    const [origin, token] = process.argv.slice(1);
    if (!(await (await fetch(`${origin}/`)).text()).includes("<title>CodeLab</title>")) throw new Error("no console at /");
    const headers = { origin, "x-codelab-console": "1" };
    const answer = await fetch(`${origin}/console/sign-in`, { method: "POST", headers, body: JSON.stringify({ token }) });
    const cookie = answer.headers.get("set-cookie") ?? String(answer.status);
    const list = await fetch(`${origin}/api/v1/sessions`, { headers: { ...headers, cookie: cookie.split(";")[0] } });
    await Promise.all([answer, list].map((each) => each.arrayBuffer())); // over TLS one that is not read holds Node for five minutes
    console.log(list.status, cookie.split("=")[0]);
  ' "$1" "$token"
}

say 'the console'
[ "$(console_cookie "http://127.0.0.1:$GATEWAY_PORT")" = "200 codelab-$GATEWAY_PORT" ] || fail 'nobody can sign in to the console'

say 'a turn through the gateway'
repository "$work/first"
turn "$work/first" 'create notes.txt with "Hello", then read README.md'
[ "$(cat "$work/first/notes.txt")" = Hello ] || fail 'the turn left no notes.txt'
grep -q '"type":"turn_ended".*"status":"completed"' "$work/first.frames" || fail 'no completed turn_ended'

say 'programs ask the proxy, in three dialects'
ask() { # ask <path> <body>: an answer of llm-proxy, or nothing
  ask_url=${ask_at:-http://127.0.0.1:$LLM_PROXY_PORT}$1 ask_body=$2 ask_token=$token node -e '
    const { ask_url: url, ask_body: body, ask_token: token } = process.env;
    fetch(url, { method: "POST", body, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } })
      .then(async (answer) => { console.log(await answer.text()); process.exit(answer.ok ? 0 : 1); })'
}
said='{"model":"offline","max_tokens":100,"messages":[{"role":"user","content":"help"}]'
ask /v1/chat/completions "$said}" | grep -q '"finish_reason":"stop"' || fail 'no answer to a chat completion'
ask /v1/chat/completions "$said,\"stream\":true}" | grep -q '^data: \[DONE\]' || fail 'no end of a streamed chat completion'
ask /v1/messages "$said}" | grep -q '"stop_reason":"end_turn"' || fail 'no answer to a message'
ask /v1/responses '{"model":"offline","input":"help"}' | grep -q '"status":"completed"' || fail 'no answer to a response'

say 'an answer passes piece by piece, for as long as it takes'
token=$token node scripts/held-upstream.mjs ask "http://127.0.0.1:$LLM_PROXY_PORT/v1/chat/completions" "http://127.0.0.1:$upstream_port/release" ||
  fail 'the beginning of an answer waited for its end'

say 'three gateways, three runtimes, two proxies'
scale='--scale gateway=3 --scale agent-runtime=3 --scale llm-proxy=2'
# shellcheck disable=SC2086
compose up --wait --wait-timeout 120 --no-recreate $scale
[ "$(count gateway) $(count agent-runtime) $(count llm-proxy)" = '3 3 2' ] || fail 'there are not three gateways, three runtimes and two proxies'

# served <service> <port> <metric>: how many replicas of a service have a count of it
served() {
  local index sum=0
  for index in $(seq "$(count "$1")"); do
    if compose exec -T --index "$index" "$1" node -e "fetch('http://127.0.0.1:$2/metrics').then((a) => a.text()).then((t) => process.exit(/^$3.* [1-9]/m.test(t) ? 0 : 1))"; then
      sum=$((sum + 1))
    fi
  done
  echo "$sum"
}

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

rolling() { # one after the other, as an operator would: the next one when this one is ready
  local service container
  for service in agent-runtime llm-proxy gateway; do
    for container in $(compose ps --quiet "$service"); do
      docker restart --time 20 "$container" >/dev/null
      until [ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ]; do sleep 0.2; done
    done
  done
}
spread() { [ "$(served gateway 8000 'codelab_gateway_connections{')" -ge 2 ] || fail 'all connections are on one gateway'; }

during 'four clients on three gateways' spread
during 'a runtime is killed' revive agent-runtime
during 'a gateway is killed' revive gateway
during 'a proxy is killed' revive llm-proxy
during 'Redis is killed' revive redis
during 'the front is restarted' compose restart caddy
during 'a rolling restart' rolling

say 'a gateway that hangs is left out'
status() { node -e 'fetch(process.argv[1], { signal: AbortSignal.timeout(8000) }).then((a) => a.arrayBuffer().then(() => console.log(a.status))).catch((e) => console.log(e.name))' "$1"; }
twelve_answers() { for _ in $(seq 12); do [ "$(status "http://127.0.0.1:$GATEWAY_PORT/health")" = 200 ] || return 1; done; }
hung=$(compose ps --quiet gateway | sed -n 2p)
docker pause "$hung" >/dev/null
deadline=$((SECONDS + 60))
until twelve_answers; do [ $SECONDS -lt $deadline ] || fail 'a gateway that hangs is asked again and again'; done
turn "$work/first" 'read notes.txt'
docker unpause "$hung" >/dev/null

say 'all gateways are replaced'
compose up --wait --wait-timeout 120 --force-recreate --no-deps --scale gateway=3 gateway
[ "$(compose exec -T gateway codelab token)" = "$token" ] || fail 'the token did not outlive the gateways'
turn "$work/first" 'read notes.txt'

say 'TLS with one variable'
CODELAB_HTTP_PORT=$(free_port) CODELAB_HTTPS_PORT=$(free_port)
export CODELAB_DOMAIN=localhost CODELAB_HTTP_PORT CODELAB_HTTPS_PORT
# shellcheck disable=SC2086
compose up --wait --wait-timeout 120 $scale
compose cp caddy:/data/caddy/pki/authorities/local/root.crt "$work/root.crt"
export NODE_EXTRA_CA_CERTS=$work/root.crt
url=wss://localhost:$GATEWAY_PORT/ws turn "$work/first" 'read notes.txt'
url=wss://localhost:$CODELAB_HTTPS_PORT/ws turn "$work/first" 'read notes.txt'
ask_at=https://localhost:$CODELAB_HTTPS_PORT ask /v1/chat/completions "$said}" | grep -q '"finish_reason":"stop"' || fail 'no answer over TLS'
[ "$(console_cookie "https://localhost:$CODELAB_HTTPS_PORT")" = "200 __Host-codelab-$CODELAB_HTTPS_PORT" ] || fail 'over TLS the cookie of the console is not bound to its host'
[ "$(status "https://localhost:$CODELAB_HTTPS_PORT/metrics") $(status "https://localhost:$LLM_PROXY_PORT/metrics")" = '404 404' ] || fail 'metrics are for everybody'
say 'passed'
