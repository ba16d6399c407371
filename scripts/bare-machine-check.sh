#!/usr/bin/env bash
# Proves the first command of the README on bare machines: containers with Node.js and nothing else, as a plain user and as root.
# Needs a running Docker engine; takes some minutes. Packages come from where this machine gets them.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/docker-images.sh

say() { printf '[bare %4ss] %s\n' "$SECONDS" "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

docker info >/dev/null 2>&1 || fail 'no Docker engine answers: start one (https://docs.docker.com/engine/install), then run this again.'
image=$(usable "$(pinned Dockerfile node)") || fail 'the image of Node.js is neither here nor in a registry that can be reached.'
use_npm_registry

name=codelab-bare-$$
cleanup() {
  docker rm --force "$name" >/dev/null 2>&1 || true
  docker rmi --force "$name" >/dev/null 2>&1 || true
}
trap cleanup EXIT

# machine <image>: a fresh one
machine() {
  docker rm --force "$name" >/dev/null 2>&1 || true
  docker run --detach --init --name "$name" --env NPM_CONFIG_REGISTRY "$1" sleep infinity >/dev/null
}
# on <user> <command>: in the folder that is worked on; what it prints is in $said, columns closed up, its exit code in $code
on() {
  code=0
  said=$(docker exec --user "$1" --workdir /tmp/work --env PATH=/opt/codelab:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
    "$name" sh -c "$2" 2>&1) || code=$?
  said=$(printf %s "$said" | tr -s ' ')
}
expect() { # expect <what> <exit code> <part of what is said>…
  local what=$1 wanted=$2 part
  shift 2
  [ "$code" = "$wanted" ] || fail "$what: exit code $code instead of $wanted: $said"
  for part; do case $said in *"$part"*) ;; *) fail "$what: \"$part\" was not said: $said" ;; esac; done
}

say 'a machine with Node.js, and this repository on it'
machine "$image"
git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | tar --create --files-from=- | docker exec --interactive "$name" \
  sh -c 'mkdir -p /opt/codelab && tar --extract --directory /opt/codelab && chown -R node /opt/codelab'
docker exec "$name" sh -c 'install -d -o node /tmp/work && echo "a needle in the hay" >/tmp/work/hay.txt && chmod 666 /tmp/work/hay.txt'
# The sources and proxies of this machine's apt, where it is of the same release.
release=$(docker exec "$name" sh -c '. /etc/os-release && echo "$VERSION_CODENAME"')
apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null | grep " $release[a-z-]* " | sort -u >"/tmp/$name" || true
if [ -s "/tmp/$name" ]; then docker exec --interactive "$name" sh -c 'rm -f /etc/apt/sources.list.d/*; cat >/etc/apt/sources.list' <"/tmp/$name"; fi
apt-config dump 2>/dev/null | grep -i '^Acquire::https\?::proxy' | docker exec --interactive "$name" sh -c 'cat >/etc/apt/apt.conf.d/99checked' || true
rm -f "/tmp/$name"
on node 'command -v git || command -v rg || command -v redis-server'
expect 'a bare machine' 127

say 'the first run, as a plain user'
on node 'codelab --version'
expect 'the first run' 0 'installing dependencies' 'building'
docker commit "$name" "$name" >/dev/null

for user in node root; do
  say "codelab chat as $user"
  machine "$name"
  case $user in node) plan='gets it with apt-get, without root' told='Getting them with apt-get, without root' ;; *) plan='installs it with apt-get' told='Installing with apt-get' ;; esac
  on $user 'codelab doctor'
  expect "doctor before, as $user" 0 '! git' '! redis-server' '! rg' "$plan" 'Everything that is needed is here, or comes with the first chat.'
  on $user 'echo "search for needle" | codelab chat'
  expect "chat as $user" 0 "$told" 'hay.txt'
  on $user 'codelab doctor'
  expect "doctor after, as $user" 0 '✓ git' '✓ redis-server 7.' '✓ rg'
  on $user 'codelab exec --approve all "create notes.txt with \"Hello\", then read notes.txt" && cat notes.txt'
  expect "exec as $user" 0 Hello
  case $said in *apt-get*) fail "what is there was fetched again, as $user" ;; esac
  on $user 'codelab undo --yes && test ! -e notes.txt'
  expect "undo, which needs git, as $user" 0
  on root 'dpkg --status redis-server'
  case $user in node) [ "$code" != 0 ] || fail 'something was installed for the whole machine' ;; *) expect 'root installs' 0 'install ok installed' ;; esac
done

say 'a machine without apt-get, or with an old Redis'
machine "$name"
docker exec "$name" sh -c 'rm /usr/bin/apt-get'
on node 'codelab doctor'
expect 'doctor without apt-get' 1 '✗ redis-server' '✗ git' 'keep CodeLab from running'
on node 'echo hello | codelab chat'
expect 'chat without apt-get' 1 'redis-server is needed' 'brew install redis' 'or set REDIS_URL'
docker exec "$name" sh -c 'for name in git rg redis-server; do printf "#!/bin/sh\necho v=6.0.16\n" >/usr/local/bin/$name; chmod +x /usr/local/bin/$name; done'
on node 'echo hello | codelab chat'
expect 'chat with an old Redis' 1 'redis-server is needed' '6.0.16 is too old'
say 'passed'
