#!/bin/sh
# Values a second, alone and beside requests that do not end, and what becomes of requests that no server likes:
#   cargo build --release && crates/nimoon-web/tests/load/run.sh
# Needs wrk, which it installs where it can, and curl. Fails if an answer is not the one that is documented.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${NIMOON:-$(cd "$here/../../../.." && pwd)/target/release/nimoon}
seconds=${SECONDS_EACH:-5}
for tool in wrk curl; do
    command -v "$tool" >/dev/null && continue
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get install -y --no-install-recommends "$tool" >/dev/null
    else
        echo "error: $tool is missing: apt-get install $tool" >&2
        exit 1
    fi
done
[ -x "$program" ] || { echo "error: $program is missing: cargo build --release, or tell where it is by NIMOON" >&2; exit 1; }

folder=$(mktemp -d)
"$program" serve --port 0 >"$folder/address" &
server=$!
trap 'kill -INT $server 2>/dev/null; wait $server || true; rm -rf "$folder"' EXIT
while [ ! -s "$folder/address" ]; do sleep 0.1; done
address=$(cat "$folder/address")

type=application/json
# Asks a path with a body, and prints status and seconds.
ask() { # path, body, more options of curl
    path=$1 body=$2
    shift 2
    printf '%s' "$body" | curl -s -o "$folder/answer" -w '%{http_code} %{time_total}' --max-time 30 \
        -H "content-type: $type" "$@" --data-binary @- "${address}$path" || true
}

wrong=0
# A name, the documented status, and the maximal time in seconds.
expect() { # name, status, seconds, path, body, more options of curl
    name=$1 status=$2 most=$3
    shift 3
    got=$(ask "$@")
    told=$(head -c 100 "$folder/answer" | tr '\n' ' ')
    if [ "${got%% *}" = "$status" ] && [ "$(printf '%s\n' "${got##* } < $most" | awk '{ print ($1 < $3) }')" = 1 ]; then
        printf '  %-34s %s in %s s\n' "$name" "$status" "${got##* }"
    else
        printf '  %-34s WRONG: %s s, expected %s within %s s: %s\n' "$name" "$got" "$status" "$most" "$told"
        wrong=1
    fi
}

# Sums of heaps below these sizes.
load() { # title, nim, top entails, kayles
    title=$1
    shift
    printf '%-40s' "$title"
    wrk -t1 -c16 -d"${seconds}s" -s "$here/value.lua" "$address" -- "$@" | tail -1
}
load 'small sums, alone:' 16 8 6
# Of these the quickest win is searched among up to a million positions, one by one in the slow lane.
load 'larger sums, alone:' 50 12 9

# Twenty endless requests of several kinds: the server asks those without a place to retry.
: >"$folder/slow"
for n in $(seq 20); do
    case $((n % 3)) in
        0) path=api/value body="{\"expression\":\"nimstring:6x6 + nim:$n\"}" ;;
        1) path=api/table body="{\"pattern\":\"hexadecimal[0.FFFF]\",\"range\":\"0..$((99980 + n))\"}" ;;
        2) path=api/loopy body="{\"game\":\"(*400 + $n) + (*300 + upon + 1/1024)\"}" ;;
    esac
    curl -s -o /dev/null -w '%{http_code}\n' --max-time 60 -H 'content-type: application/json' \
        "${address}$path" -d "$body" >>"$folder/slow" &
done
sleep 0.5
load 'small sums, beside endless requests:' 16 8 6
while [ "$(wc -l <"$folder/slow")" -lt 20 ]; do sleep 0.5; done
printf 'the endless ones ended with:            %s\n' "$(sort "$folder/slow" | uniq -c | awk '{ print $1 " × " $2 }' | paste -s -d, | sed 's/,/, /g')"
if grep -qv '^\(200\|422\|503\)$' "$folder/slow"; then
    wrong=1
fi

echo 'requests that no server likes:'
expect 'no JSON' 400 1 api/value '{"expression":'
expect 'another shape' 400 1 api/value '{"expression":5}'
expect 'an unknown field' 400 1 api/value '{"expression":"nim:3","shell":"id"}'
expect 'a hundred thousand brackets' 400 1 api/value "$(head -c 100000 /dev/zero | tr '\0' '[')"
expect 'no expression' 422 1 api/value '{"expression":"nim:3 +"}'
expect 'a file of the disk' 422 1 api/value '{"expression":"digraph[/etc/passwd]:a"}'
expect 'a huge heap' 422 12 api/value '{"expression":"octal[0.16]:999999999999"}'
expect 'a huge board' 422 13 api/value '{"expression":"green-lime:glglglglglglglglglglglglglglgl"}'
expect 'too many rows' 422 1 api/table '{"pattern":"nim","range":"0..99999999"}'
type=text/plain
expect 'another type' 415 1 api/value '{"expression":"nim:3"}'
type=application/json
expect 'another host' 403 1 api/value '{"expression":"nim:3"}' -H 'host: evil.example'
expect 'another origin' 403 1 api/value '{"expression":"nim:3"}' -H 'origin: https://evil.example'
expect 'another path' 404 1 api/nothing '{}'
head -c 3000000 /dev/zero | tr '\0' ' ' >"$folder/large"
got=$(curl -s -o /dev/null -w '%{http_code}' --max-time 30 -H 'content-type: application/json' --data-binary @"$folder/large" "${address}api/value" || true)
printf '  %-34s %s\n' 'three million bytes' "$got"
[ "$got" = 413 ] || wrong=1
# A body that is announced and does not come.
port=${address##*:} port=${port%/}
got=$({ printf 'POST /api/value HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{'; sleep 15; } |
    curl -s --max-time 20 "telnet://127.0.0.1:$port" 2>/dev/null | head -1 | tr -d '\r' || true)
printf '  %-34s %s\n' 'a body that does not come' "$got"
case $got in *422*) ;; *) wrong=1 ;; esac

expect 'after all this' 200 1 api/value '{"expression":"nim:3"}'
if [ -r "/proc/$server/status" ]; then
    printf 'the server had %s MB at most\n' "$(awk '/VmHWM/ { printf "%d", $2 / 1024 }' "/proc/$server/status")"
fi
exit $wrong
