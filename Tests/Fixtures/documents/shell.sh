# What the remarks `prepare:` of the pages name, and what commands are replaced by while they are tried. The home directory is the machine on which a
# page is read; $SAMPLE is sessions-sample.

# The sessions of the sample in ~/music/sessions, its journals in ~/music/journals.
sample() {
    rm -rf ~/music
    mkdir ~/music
    cp -R "$SAMPLE/sessions" "$SAMPLE/journals" ~/music
    export TRACE_ROOTS=~/music/sessions:~/music/journals TRACE_STALE_AFTER=3650d
    # As old as what is in them.
    find ~/music -exec touch -d 2026-02-25T06:13:20Z {} +
}

# A clone of the repository, as far as its pages name it, in ~/trace; what follows is typed there.
repository() {
    mkdir -p ~/trace/Tests/Fixtures
    cp -R "$SAMPLE" ~/trace/sessions-sample
    cp -R "$SAMPLE/../Tests/Fixtures/rules" ~/trace/Tests/Fixtures
    cd ~/trace || return
}

# What a camera, OBS and a phone have recorded.
recordings() {
    local sound='-f lavfi -i sine=duration=' picture='-f lavfi -i testsrc=size=64x64:rate=10:duration=3 '
    ffmpeg -nostdin -v error ${sound}4 -c:a aac memo.m4a &&
        ffmpeg -nostdin -v error ${sound}3 take.wav &&
        ffmpeg -nostdin -v error $picture${sound}3 -c:v mpeg4 -c:a aac take.mkv &&
        ffmpeg -nostdin -v error -i take.mkv -c copy take.mp4
}

# An hour passes for the session in a directory.
an_hour_passes() {
    local before
    before=$(date -u -d '1 hour ago' +%Y-%m-%dT%H:%M:%S.000Z)
    sed -i -E "s/\"(created_at|updated_at|start_time|wall_time)\":( ?)\"[^\"]+\"/\"\1\":\2\"$before\"/g" "$1"/session.json "$1"/timeline.jsonl
}

# What the examples of --help name, in ~/examples.
examples() {
    unset TRACE_CONFIG TRACE_ROOTS
    recordings
    mkdir -p examples/.config/trace examples/.local/state/trace examples/phone
    mv music memo.m4a take.* examples
    cd examples || return
    printf 'roots: [~/music/sessions, ~/music/journals]\nstale_after: 3650d\n' | tee config.yaml > .config/trace/config.yaml
    cp "$SAMPLE"/queue/* .
    cp -R "$SAMPLE"/queue .local/state/trace
    cp "$SAMPLE"/devices/phone.json phone/practice-state.json
    cp "$SAMPLE"/journals/old-phone/*.json old-phone.json
    printf '[{"tag":"highlight","offset_ms":154300,"created_at":"2026-02-11T18:08:00.000Z"}]\n' > export.json
    printf '14.8\t91.5\tDrone in D\n' > labels.txt
    printf 'time,label\n1:03,Highlight\n' > markers.csv
    printf '{"id":"01KH6Z79RYNRTV7HECT4EZEFYW","offset_ms":1200,"duration_ms":900,"text":"slower here"}\n' > said.jsonl
    echo '# Mine' > digest.md
    sed -i 's/"Winter season"/"Pinball"/' music/journals/pinball/practice.json
    # The row of the latest score has the id of the examples.
    sed -i 's/23F883FD-DCB4-4DB8-89E7-73E736216B6B/911A91B3-1391-80F6-9208-AFA1AD85A4C0/g' music/journals/pinball/practice-state.json
    cd ..
}

# The home directory of somebody who types an example of --help: a new one, unless the example before has changed nothing but the index.
example() {
    cd || return
    if [[ ! -e .state || -n $(changed) ]]; then
        find . -mindepth 1 -maxdepth 1 ! -name '.s*' ! -name examples -exec rm -rf {} +
        cp -a examples/. .
        touch .state
    fi
    before "$1" > .said 2>&1 || cat .said
}

# Something that is another since the copy was made.
changed() {
    find . \( -path ./examples -o -path './.s*' -o -path '*/run' -o -name 'index*' \) -prune -o -cnewer .state \( -type f -o -path './music*' \) -print -quit
}

# What has been done when somebody types an example of --help.
before() {
    case $1 in
    "session init"* | "session edit --title"*) ;;
    *"'Late set'"*)
        trace session close --at last && trace session init --title 'Late set' --start 2026-02-04T20:10 || return
        if [[ $1 == "session resume"* ]]; then trace session pause; fi
        ;;
    "session resume") trace session pause ;;
    "session reopen last"*) trace session close --at last ;;
    "session restore late-set") trace session delete late-set ;;
    "unplaced place"* | "unplaced drop"*)
        trace session close --at last && trace mark Drop || return
        trace session init --title Monday --start "$(date -u -d '1 hour ago' +%Y-%m-%dT%H:%M:%SZ)"
        ;;
    redo*) trace mark 2:00 && trace undo ;;
    "tag rename"*) trace mark 2:00 --tag drop ;;
    undo*) trace mark 2:00 ;;
    "practice undo"*) trace practice view 'comet racer' ;;
    "practice groups --edit"*) trace practice groups --create 'This week' --game 'comet racer' --start 2026-03-25 ;;
    "practice groups --reorder"*) trace practice groups --create 'Next week' --game 'comet racer' --start 2026-03-25 ;;
    "export last --format"*) rm labels.txt ;;
    "journal adopt"*) cp "$SAMPLE"/journals/pinball/practice-state.json . ;;
    "practice import"*) cp "$SAMPLE"/journals/pinball/practice-state.json . && rm -r music/journals && trace journal init practice music/journals/new ;;
    "practice accept"*)
        trace practice merge phone/practice-state.json --device phone || return
        python3 -c 'import json
text = json.load(open("phone/practice-state.json"))
json.dump({key: [] if isinstance(value, list) else value for key, value in text.items()}, open("emptied.json", "w"))'
        ! trace practice merge emptied.json --device phone
        ;;
    transcribe* | "export last --embed"*) trace media add-review-audio last --source take.mkv ;;
    "validate --all"*) rm -r music/sessions/2026-01-28-rehearsal-broken music/journals/old-phone ;;
    "action run"*) an_action loudness ;;
    "action decline"*) a_request 01KH6Z79RYNRTV7HECT4EZEFYT ;;
    "token revoke laptop") trace token add --name laptop --scope admin ;;
    "token revoke"*)
        trace token add --name laptop --scope admin || return
        local file
        file=$(echo .local/state/trace/access/01*.json)
        sed "s/$(basename "$file" .json)/01M7Z4V6S0YBRTK5E8P1ZJ3QWD/" "$file" > .local/state/trace/access/01M7Z4V6S0YBRTK5E8P1ZJ3QWD.json
        rm "$file"
        ;;
    "token rename"*) trace token add --name phone --scope mark ;;
    esac
}

# An action that does nothing and succeeds.
an_action() {
    unset TRACE_CONFIG
    mkdir -p ~/.config/trace/actions
    printf '#!/bin/sh\n' > ~/.config/trace/actions/"$1"
    chmod +x ~/.config/trace/actions/"$1"
}

# A phone asks for the action `export` under an id.
a_request() {
    printf '{"id":"%s","action":"export","created_at":"2026-02-11T18:25:39.614Z","status":"started"}\n' "$1" \
        >> ~/music/sessions/2026-02-11-loop-practice/actions.jsonl
}

# Runs commands while `trace watch`, which the next block has, is watching: each once the line of the one before it is there.
meanwhile() {
    (
        seen=0
        until said=$(grep -ls '^watching ' "${step%/*}"/*.out); do sleep 0.01; done
        for command in "$@"; do
            until (($(wc -l < "$said") > seen)); do sleep 0.01; done
            eval "$command"
            seen=$((seen + 1))
        done
    ) > /dev/null 2>&1 &
}

# The first block of a page that has a word in it.
shown() {
    awk -v word="$2" '/^```/ { if (inside && index(text, word)) { printf "%s", text; exit }; inside = !inside; text = ""; next }
        inside { text = text $0 "\n" }' "$SAMPLE/../docs/$1"
}

# The daemon, in a terminal of its own: in the background, until the page ends. In place of port 8722, which may be taken, it has one that is free.
traced() {
    [[ -z ${daemon-} ]] || { kill "$daemon" && wait "$daemon"; }
    # Else what the one before has said may be found, before the new one begins the file.
    : > ~/.traced.log
    TRACE_HTTP_LISTEN=${TRACE_HTTP_LISTEN//:8722/:0} command traced "$@" >> ~/.traced.log 2>&1 < /dev/null &
    daemon=$!
    until grep -q ' ready ' ~/.traced.log; do
        kill -0 "$daemon" || { cat ~/.traced.log && return 1; }
        sleep 0.01
    done
    sed -n 's/.* listening address=127.0.0.1:\([0-9]*\).*/\1/p' ~/.traced.log > ~/.port
}
ends() {
    [[ -z ${daemon-} ]] || kill "$daemon"
    wait
}
trap ends EXIT

curl() {
    local arguments=("${@//127.0.0.1:8722/127.0.0.1:$(< ~/.port)}")
    command curl -sS --fail-with-body --max-time 60 "${arguments[@]//\/run\/trace\/http.sock/"$HOME/.http.sock"}"
}
