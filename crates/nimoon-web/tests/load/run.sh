#!/bin/sh
# Small values a second, alone and beside slow requests: NIMOON=target/release/nimoon crates/nimoon-web/tests/load/run.sh
# Needs wrk and curl.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${NIMOON:-$(cd "$here/../../../.." && pwd)/target/release/nimoon}
seconds=${SECONDS_EACH:-5}
printed=$(mktemp)
"$program" serve --port 0 >"$printed" &
server=$!
trap 'kill -INT $server; wait $server || true; rm -f "$printed"' EXIT
while [ ! -s "$printed" ]; do sleep 0.1; done
address=$(cat "$printed")

printf 'alone:               '
wrk -t1 -c16 -d"${seconds}s" -s "$here/value.lua" "$address" | tail -1

# Twenty requests that never end: those that find no place are told to come back.
for n in $(seq 20); do
    curl -s -o /dev/null -w '%{http_code}\n' -H 'content-type: application/json' "${address}api/value" \
        -d "{\"expression\":\"nimstring:5x5 + nim:$n\"}" >>"$printed.slow" &
done
sleep 0.5
printf 'beside slow requests: '
wrk -t1 -c16 -d"${seconds}s" -s "$here/value.lua" "$address" | tail -1
while [ "$(wc -l <"$printed.slow")" -lt 20 ]; do sleep 0.5; done
printf 'the slow ones ended with: %s\n' "$(sort "$printed.slow" | uniq -c | tr -s ' \n' ' ')"
rm -f "$printed.slow"
curl -s -o /dev/null -w 'and the server answers: %{http_code}\n' -H 'content-type: application/json' \
    "${address}api/value" -d '{"expression":"nim:3"}'
