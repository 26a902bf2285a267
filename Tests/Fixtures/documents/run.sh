#!/bin/bash
# Types the commands of a page, one after the other, in one shell; `DocumentShell` writes them into files and reads their outcome.
#   run.sh DIRECTORY
# Each step is a file of DIRECTORY, in order: N-prepare.sh, N-pipe.sh, or N-COLUMNSxROWS.sh for one on a terminal of that size. What it printed goes
# into N-….out, on a terminal to the terminal itself, between two record separators; its status into N-….status.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd || exit
for step in "$1"/*.sh; do
    status=0
    trap 'status=$?' ERR # of each line of a block, not of the last one alone
    case $step in
    *-prepare.sh | *-pipe.sh)
        eval "$(<"$step")" > "${step%.sh}.out" 2>&1 < /dev/null
        ;;
    *)
        size=${step##*-} size=${size%.sh}
        stty cols "${size%x*}" rows "${size#*x}"
        printf '\036'
        eval "$(<"$step")" 2>&1
        printf '\036'
        ;;
    esac
    trap - ERR
    echo "$status" > "${step%.sh}.status"
    [[ $step == *-prepare.sh && $status != 0 ]] && exit 1
done
exit 0
