#!/bin/sh
# Starts Redis behind a password of its own, generated at the first start; the services read the address with it from a file.
set -eu
umask 077
keys=/run/codelab
if [ ! -s "$keys/redis-password" ]; then
  od -An -v -N 32 -t x1 /dev/urandom | tr -d ' \n' >"$keys/redis-password.new"
  mv "$keys/redis-password.new" "$keys/redis-password"
fi
password=$(cat "$keys/redis-password")
printf 'redis://:%s@redis:6379\n' "$password" >"$keys/redis-url.new"
chown 1000:1000 "$keys/redis-url.new" # the user of the services
mv "$keys/redis-url.new" "$keys/redis-url"
chmod 755 "$keys"
printf '%s\n' "requirepass $password" 'appendonly yes' 'appendfsync always' 'save ""' 'maxmemory-policy noeviction' >/run/redis.conf
chown redis /run/redis.conf
exec docker-entrypoint.sh redis-server /run/redis.conf
