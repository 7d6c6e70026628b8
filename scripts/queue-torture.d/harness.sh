# Part of queue-torture and index-power-cuts: processes that are killed, devices that are mounted, and what is left of both.
#
# The script that sources this file names itself in $me, has arrays mounts, loops and children, and sets $java, $fast and $jar, the class path.
# shellcheck shell=bash disable=SC2154

say() { [ -n "$quiet" ] || echo "$@"; }
missing() { echo "$me: $*" >&2; exit 3; }
wrong() { echo "$me: $* (see --help)" >&2; exit 2; }
failed() { echo "$me: $*" >&2; exit 4; }

# Ends what was started here, by pid; unmounts in reverse; removes the work folder.
clean_up() {
  local code=$? i
  trap - EXIT
  for i in "${children[@]}"; do kill -9 "$i" 2>/dev/null || true; done
  for i in "${children[@]}"; do wait "$i" 2>/dev/null || true; done
  for ((i = ${#mounts[@]} - 1; i >= 0; i--)); do
    mountpoint -q "${mounts[i]}" && { umount "${mounts[i]}" 2>/dev/null || umount -l "${mounts[i]}" || true; }
  done
  for ((i = ${#loops[@]} - 1; i >= 0; i--)); do losetup -d "${loops[i]}" 2>/dev/null || true; done
  if [ -n "$work" ] && [ -z "${keep:-}" ]; then rm -rf --one-file-system "$work"; fi
  exit $code
}

random() { echo $(($1 + (RANDOM * 32768 + RANDOM) % ($2 - $1 + 1))); }
millis() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

java_command() {
  if [ -n "${JAVA_HOME:-}" ]; then echo "$JAVA_HOME/bin/java"; else command -v java || missing "no java: set JAVA_HOME"; fi
}

run() {
  # shellcheck disable=SC2086
  "$java" "$@" ${JVM_FLAGS:-}
}

mount_at() {
  mkdir -p "$2"
  mount "${@:3}" "$1" "$2"
  mounts+=("$2")
}

unmount() {
  umount "$1"
  local left=() i
  for i in "${mounts[@]}"; do [ "$i" = "$1" ] || left+=("$i"); done
  mounts=("${left[@]}")
}

# Starts a session of program $1 as $child; its output goes to $work/said.
session() {
  : >"$work/said"
  # shellcheck disable=SC2086
  (exec "$java" "${fast[@]}" ${JVM_FLAGS:-} -cp "$jar" "$@") >"$work/said" 2>&1 </dev/null &
  child=$!
  children=("$child")
}

await_ready() {
  local tries
  for ((tries = 0; tries < 3000; tries++)); do
    if grep -q '^ready' "$work/said"; then return 0; fi
    kill -0 "$child" 2>/dev/null || return 1
    sleep 0.01
  done
  return 1
}

# Waits for $child; sets $code to its exit code.
reap() {
  code=0
  wait "$child" 2>/dev/null || code=$?
  children=()
}

# Copies the files that prove a broken promise to a folder that is not removed.
evidence() {
  local to
  to=$(mktemp -d "${dir:-${TMPDIR:-/tmp}}/$me-evidence-XXXXXX")
  local i
  for i in "$@"; do [ -e "$i" ] && cp -r --sparse=always "$i" "$to/"; done
  cp "$work/said" "$to/" 2>/dev/null || true
  echo "BROKEN: seed=$seed evidence=$to"
  grep -h -e VIOLATION -e '^judged' -e Exception "$to"/said* | sort -u | head -20 || true
  broken=1
}
