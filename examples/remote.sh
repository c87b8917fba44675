#!/usr/bin/env bash
# An Allspeak remote made of nc and jq; what it says and hears is Protocol/README.md.
#
#   remote.sh status                  position, state, title and current line
#   remote.sh play | pause | toggle
#   remote.sh skip SECONDS            back with -3
#   remote.sh seek SECONDS
#   remote.sh watch                   a line for each change, until Ctrl-C
#
# ALLSPEAK_HOST is the host's address, 127.0.0.1:42557 unless set. Exit status: 64 wrong use, 69 no host or an error.
set -euo pipefail

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 64; }
fail() { echo "$*" >&2; exit 69; }

# shellcheck disable=SC2016 # these are jq's variables
words='
def clean: tostring | gsub("[[:cntrl:]\u202a-\u202e\u2066-\u2069]"; " ") | .[:300];
def clock: (. * 100 | floor / 100) as $t
    | "\($t / 60 | floor):" + ($t - ($t / 60 | floor) * 60 | . * 100 | round / 100 | if . < 10 then "0\(.)" else "\(.)" end);
def place: "\(.currentTime | clock) \(if .isPlaying then "playing" else "paused" end)";
'

# What is written to descriptor 4 goes to the host; what the host says comes from 3, and ends after half a minute of silence.
connect() {
    local address=${ALLSPEAK_HOST:-127.0.0.1:42557}
    coproc nc { exec nc -w 30 "${address%:*}" "${address##*:}" 2>/dev/null; }
    # shellcheck disable=SC2064,SC2154 # coproc sets it, and the process of now is meant
    trap "kill $nc_PID 2>/dev/null || true" EXIT
    exec 3<&"${nc[0]}" 4>&"${nc[1]}"
    read -r -t 5 <&3 || fail "No host answers at $address."
}

# ask PAYLOAD: sends a command, and prints where the film is then, or what was wrong.
ask() {
    connect
    printf '{"kind":"command","id":1,"payload":%s}\n' "$1" >&4
    jq -rn "$words"'
        first((inputs | select(.re == 1 or .kind == "error")),
              {kind: "error", payload: {code: "not sent", message: "The host has gone."}})
        | if .kind == "error" then "\(.payload.code | clean): \(.payload.message | clean)\n" | halt_error(69)
          else .payload | place end' <&3
}

introduce() {
    connect
    printf '{"kind":"hello","payload":{"protocol":1,"remote":{"id":"shell-%s","name":"Shell"}}}\n' "${HOSTNAME%%[!a-zA-Z0-9.-]*}" >&4
}

# The host tells everything to a remote that has introduced itself: metadata, snapshot, the cues in chunks.
status() {
    introduce
    local line film='' state='' data=() total=1
    while [ ${#data[@]} -lt "$total" ] && IFS= read -r -t 5 line <&3; do
        case $(jq -r .kind <<<"$line") in
        metadata) film=$line ;;
        snapshot) state=$line && total=$(jq 'if .payload.cueCount == 0 then 0 else 1 end' <<<"$film") ;;
        cueChunk) data+=("$(jq -r .payload.data <<<"$line")") && total=$(jq .payload.totalChunks <<<"$line") ;;
        sessionEnded) fail "No film is open there." ;;
        esac
    done
    [ ${#data[@]} -ge "$total" ] || fail "The host did not tell everything."
    # A chunk is base 64 of a piece of a gzip stream, and that is JSON.
    if [ "$total" = 0 ]; then echo '{"cues":[]}'; else for piece in "${data[@]}"; do base64 -d <<<"$piece"; done | gzip -dc; fi \
        | jq -r --argjson film "$film" --argjson state "$state" "$words"'
            ($state.payload | place) + " \($film.payload.title | clean): "
            + (.cues[$state.payload.currentIndex].text // "" | clean)'
}

watch() {
    introduce
    # The host ends a connection that is silent for a minute.
    while sleep 20 && echo '{"kind":"ping"}'; do :; done >&4 2>/dev/null &
    # shellcheck disable=SC2064
    trap "kill $! $nc_PID 2>/dev/null || true" EXIT
    jq -rn --unbuffered "$words"'
        label $over | foreach inputs as $line ({title: ""};
            .text = null
            | if $line.kind == "metadata" then .title = ($line.payload.title | clean)
              elif $line.kind == "snapshot" then .text = ($line.payload | place) + " " + .title
              elif $line.kind == "sessionEnded" then .text = "no film" else . end;
            if $line.kind == "goodbye" then break $over else .text // empty end)' <&3
    fail "The host has gone."
}

seconds=$(jq -en --arg text "${2-0}" '$text | ltrimstr("+") | tonumber' 2>/dev/null) || usage
case "${1:-} ${2+SECONDS}" in
'status ') status ;;
'watch ') watch ;;
'play ' | 'pause ') ask "{\"kind\":\"$1\"}" ;;
'toggle ') ask '{"kind":"togglePlayPause"}' ;;
'skip SECONDS') ask "{\"kind\":\"skip\",\"seconds\":$seconds}" ;;
'seek SECONDS') ask "{\"kind\":\"seek\",\"time\":$seconds}" ;;
*) usage ;;
esac
