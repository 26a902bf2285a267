#!/bin/sh
# What a script beside OBS does in an evening, with the command lines that were there before this project.
# usage: obs.sh DIRECTORY RECORDING MEMO
set -eu
dir=$1 recording=$2 memo=$3

trace session init "$dir"
trace mark "$dir" --offset 0 --label "Recording starts"
trace mark "$dir" --offset 1500 --label "Drop" --note "late, but good" --tag highlight --tag structure
marker=$(trace mark "$dir" --offset 2500 --tag fix-review)
marker=${marker#marker: }

note=$(trace voice-note "$dir" --offset 2600 --duration 800 --media-file "$memo" --text "" --marker-id "$marker")
note=${note#voice-note: }
trace voice-note set-transcript "$dir" "$note" --text "Slower here"
trace mark "$dir" --offset 2700 --voice-note-id "$note"

trace media add "$dir" --file "$recording" --kind video --mime video/x-matroska --offset 0 --duration 3000
trace media add-review-audio "$dir" --source "$recording"
trace transcribe "$dir" --text "One two three" --offset 100 --duration 900

trace markers list "$dir"
trace markers list "$dir" --tag highlight
trace markers list "$dir" --offset-min 2000 --offset-max 2650

trace session close "$dir"
trace digest generate "$dir"
trace digest read "$dir" | sed -n 2p
printf '# Mine\n' > "$dir.md"
trace digest write "$dir" --file "$dir.md"
trace digest read "$dir"
trace session show "$dir"
trace validate "$dir"

if trace mark "$dir" --offset nonsense 2> "$dir.err"; then exit 1; fi
grep -c '^error: ' "$dir.err"
if trace session init "$dir" 2> "$dir.err"; then exit 1; fi
grep -c '^error: ' "$dir.err"
