# Part of queue-torture: a full disk, a read-only folder, no free file descriptors, and a second process on the same folder.
# shellcheck shell=bash disable=SC2154

# Runs one refusal; the arguments are the program's.
refusal() {
  program "${fast[@]}" -cp "$jar" $package.Refusals "$@"
  [ "$code" = 0 ] || evidence "$2"
}

second_process() {
  local folder=$work/shared-$1 owner
  (exec "$java" "${fast[@]}" -cp "$jar" $package.Refusals "$1" "$folder" hold) >"$work/said" 2>&1 </dev/null &
  child=$!
  children=("$child")
  owner=$child
  await_ready || { evidence "$folder"; return; }
  (exec "$java" "${fast[@]}" -cp "$jar" $package.Refusals "$1" "$folder" locked "$owner") >"$work/said-second" 2>&1 </dev/null || code=$?
  cat "$work/said-second"
  [ "${code:-0}" = 0 ] || evidence "$folder" "$work/said-second"
  kill -9 "$owner"
  reap
  [ -e "$folder/LOCK" ] || echo "VIOLATION no LOCK is left to be stale"
  refusal "$1" "$folder" open
}

read_only() {
  local folder=$work/read-only-$1
  if [ "$(id -u)" = 0 ]; then
    mkdir -p "$work/room/was-writable" "$folder"
    mount_at "$work/room/was-writable" "$folder" --bind
    mount -o remount,bind,ro "$folder"
    refusal "$1" "$folder" read-only
    unmount "$folder"
  else
    mkdir "$folder"
    chmod 500 "$folder"
    refusal "$1" "$folder" read-only
    chmod 700 "$folder"
  fi
}

# Starts the script again as root of a user namespace, unless the user is root.
as_root() {
  if [ "$(id -u)" != 0 ]; then
    unshare --user --map-root-user --mount true 2>/dev/null ||
      missing "full-disk mounts a small tmpfs: it needs root or user namespaces (kernel.unprivileged_userns_clone)"
    exec unshare --user --map-root-user --mount "$0" "${given[@]}" --seed "$seed"
  fi
}

full_disk() {
  [ -z "$short" ] || mib=16
  IFS=, read -ra all_durabilities <<<"${durability:-synced,written,batched}"
  local d
  for d in "${all_durabilities[@]}"; do
    mount_at tmpfs "$work/room" -t tmpfs -o "size=${mib}m"
    dd if=/dev/zero of="$work/room/filler" bs=1M count=$((mib / 4)) status=none
    program "${fast[@]}" -cp "$jar" $package.FullDisk "$work/room/queue" "$work/room/filler" "$d" 4 "$seed"
    [ "$code" = 0 ] || evidence "$work/room/queue"
    [ -n "$short" ] || read_only "$d"
    unmount "$work/room"
    code=0
    (ulimit -n 64 && exec "$java" "${fast[@]}" -cp "$jar" $package.Refusals "$d" "$work/few-$d" descriptors) \
      >"$work/said" 2>&1 </dev/null || code=$?
    cat "$work/said"
    [ "$code" = 0 ] || evidence "$work/few-$d"
    [ -n "$short" ] && [ "$d" != synced ] || second_process "$d"
  done
  if [ -n "$short" ]; then mount_at tmpfs "$work/room" -t tmpfs -o size=1m && read_only synced && unmount "$work/room"; fi
  echo "full-disk: broken=$broken"
}
