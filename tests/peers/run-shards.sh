#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The commands of docs/many-machines.md, as they are there: they must write what one call of
# `ossa convert --all` writes.
#
#   tests/peers/run-shards.sh parallel|slurm OSSA FOLDER
#
# For slurm, a cluster of one node runs as the current user, on ports of the loopback interface, until
# the test ends.
#
# Exit status: 0 all fine, 1 not, 77 the program is not there or cannot be started, 2 the call is wrong.
set -eu

if [ $# -ne 3 ] || [ ! -x "$2" ]; then
    echo 'usage: run-shards.sh parallel|slurm OSSA FOLDER' >&2
    exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/lib.sh"
peer=$1
binary=$(absolute "$2")
page=$here/../../docs/many-machines.md
samples=$here/../../samples
rm -rf "$3"
mkdir -p "$3/bin" "$3/game"
cd "$3"
folder=$(pwd)
ln -s "$binary" bin/ossa
PATH=$folder/bin:$PATH
cp -R "$samples/packed" "$samples/troll" "$samples/rabbit" "$samples/bird" game/
ossa convert -q game/ --all -o one/

# The number $1 of the pieces of shell on the page.
piece() { awk -v wanted="$1" '/^```$/ { inside = 0 } inside { print } /^```sh$/ { inside = ++count == wanted }' "$page"; }

# Is all there, and nothing else?
compare() {
    rm -f out/report-*-of-*.json
    diff -r one out || exit 1
    ossa convert game/ --all -o out/ | grep ' 0 converted, ' || exit 1
}

run_parallel() {
    command -v parallel >/dev/null || skip 'there is no parallel'
    piece 1 >commands
    grep -q parallel commands
    sh -e commands
    compare
}

# ---- a cluster of one node ----------------------------------------------------------------------

# Unlike other programs, Slurm is never required: few want it on their machine.
skip_slurm() {
    for log in "$slurm"/*.log; do
        [ ! -f "$log" ] || { echo "== $(basename "$log")" && tail -n 5 "$log"; }
    done
    echo "skipped: $1"
    exit 77
}

# Run a command until it succeeds, but not for long.
try_for() { # SECONDS COMMAND...
    tries=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.2
    done
}

slurm=''
daemons=''
# The ones started last end first. Once asked to end, none has more than five seconds: see start.
stop_slurm() {
    for process in $daemons; do
        kill "$process" 2>/dev/null || true
        wait "$process" || true
    done
    rm -rf "$slurm"
}

start() { # PROGRAM ARGUMENTS..., which stays in the foreground, for a few minutes whatever happens
    timeout -k 5 240 "$@" >"$slurm/$1.log" 2>&1 &
    daemons="$! $daemons"
}

write_config() {
    # Two ports, other ones for each process; if one is in use, the daemons do not start.
    port=$((20000 + $$ % 5000 * 2))
    host=$(hostname -s)
    user=$(id -un)
    cat >"$slurm/slurm.conf" <<END
ClusterName=ossa
SlurmctldHost=$host(127.0.0.1)
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=10 State=UP
END
}

start_slurm() {
    PATH=$PATH:/usr/sbin:/sbin
    for program in munged munge slurmctld slurmd sbatch squeue sinfo scancel; do
        command -v $program >/dev/null || skip_slurm "there is no $program (package slurm-wlm)"
    done
    trap stop_slurm EXIT
    trap 'exit 1' HUP INT TERM
    slurm=$(mktemp -d) # where the path of a socket is short enough
    mkdir "$slurm/state" "$slurm/spool"
    chmod 711 "$slurm"
    (umask 077 && head -c 1024 /dev/urandom >"$slurm/munge.key")
    start munged --foreground --force --key-file="$slurm/munge.key" \
        --socket="$slurm/munge.socket" --pid-file="$slurm/munged.pid" \
        --log-file="$slurm/munged.file.log" --seed-file="$slurm/munge.seed"
    try_for 10 munge -n --socket="$slurm/munge.socket" || skip_slurm 'munged cannot be started'
    write_config
    SLURM_CONF=$slurm/slurm.conf
    export SLURM_CONF
    start slurmctld -D -c
    try_for 20 sinfo || skip_slurm 'slurmctld cannot be started'
    start slurmd -D -c
    try_for 20 is_idle || skip_slurm 'slurmd cannot be started'
}
is_idle() { [ "$(sinfo -h -o %t)" = idle ]; }
is_done() { [ -z "$(squeue -h)" ]; }

run_slurm() {
    start_slurm
    piece 2 >convert.sbatch
    # With fewer shards, and on one CPU, which is what the node may have.
    piece 3 | sed -e 's/16/5/g' -e 's/sbatch --/sbatch --cpus-per-task=1 --/' >commands
    grep -q 'SBATCH' convert.sbatch
    grep -q 'array=1-5 convert.sbatch 5' commands
    sh -e commands
    if ! try_for 120 is_done; then
        squeue
        scancel -u "$(id -un)"
        echo 'failed: the jobs do not end'
        exit 1
    fi
    cat ossa-*.log slurm-*.out
    compare
}

case $peer in
parallel) run_parallel ;;
slurm) run_slurm ;;
*)
    echo "run-shards.sh: '$peer' is neither parallel nor slurm" >&2
    exit 2
    ;;
esac
