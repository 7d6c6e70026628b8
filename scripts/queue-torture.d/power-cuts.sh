# Part of queue-torture and index-power-cuts: power cuts under a running queue, or a running store of an index.
#
# A sparse file holds a btrfs; the btrfs holds the image of a small file system, which is mounted through a loop device; the queue works
# there. A power cut is a reflink copy of the image, which the kernel makes at one point in time: the copy has what the file system had
# handed to its device, and lacks what only the page cache held. So it models the loss of the page cache, but not of a volatile cache inside
# the device. The session writes a ledger outside of the image. A copy of the ledger from before the cut says what must be there; one from
# after the cut says what may be there.
# shellcheck shell=bash disable=SC2154

# Attaches a loop device to a file, with direct I/O where the file system allows it; sets $loop to its name.
attach() {
  loop=$(losetup --find --show --direct-io=on "$1" 2>/dev/null || losetup --find --show "$1")
  loops+=("$loop")
}

detach() {
  losetup -d "$1"
  local left=() i
  for i in "${loops[@]}"; do [ "$i" = "$1" ] || left+=("$i"); done
  loops=("${left[@]}")
}

make_fs() {
  rm -f "$1"
  case $fs in
    ext4) truncate -s 1G "$1" && mkfs.ext4 -q -m 0 -E lazy_itable_init=0,lazy_journal_init=0 "$1" ;;
    xfs) truncate -s 1G "$1" && mkfs.xfs -q "$1" ;;
    *) wrong "--fs $fs" ;;
  esac
}

fs_options() { if [ "$fs" = xfs ]; then echo nouuid,noatime; else echo noatime; fi; }

# Cuts the power of the running session $child once: copies the device, opens the copy and judges it. $1 durability, $2 writers, $3 consumers.
power_cut() {
  local b=$work/btrfs
  cp "$ledger" "$work/before"
  cp --reflink=always "$b/live.img" "$b/cut.img"
  cp "$ledger" "$work/after"
  cp --reflink=always "$b/cut.img" "$b/cut-untouched.img"
  attach "$b/cut.img"
  mount_at "$loop" "$work/cut" -o "$(fs_options)"
  local cut_code=0
  run "${fast[@]}" -cp "$jar" "$(program_of "$3")" "$work/cut/queue" "$work/none" "$work/before" "$work/after" cut "$1" 0 "$seed" \
    >"$work/said-cut" 2>&1 </dev/null || cut_code=$?
  unmount "$work/cut"
  detach "$loop"
  rm "$b/cut.img"
  sed "s/^judged/judged writers=$2 consumers=$3/" "$work/said-cut" >>"$work/judged"
  if [ $cut_code != 0 ]; then evidence "$b/cut-untouched.img" "$work/before" "$work/after" "$work/said-cut"; fi
}

# Makes $1 cuts of a queue of durability $2 with $3 writers, consumed by $4, in sessions of ten. Each session goes on from the last cut of the one before.
cut_sessions() {
  local b=$work/btrfs live_loop left=$1 i
  ledger=$work/ledger
  make_fs "$b/live.img"
  rm -f "$ledger" "$work/before" "$work/after"
  while [ "$left" -gt 0 ] && [ "$broken" = 0 ]; do
    attach "$b/live.img"
    live_loop=$loop
    mount_at "$loop" "$work/live" -o "$(fs_options)"
    rm -f "$ledger"
    session "$(program_of "$4")" "$work/live/queue" "$ledger" "$work/before" "$work/after" cut "$2" "$3" "$seed"
    await_ready || { evidence "$b/live.img" "$work/before" "$work/after"; return; }
    for ((i = 0; i < 10 && left > 0 && !broken; i++, left--)); do
      sleep "$(millis "$(random 5 400)")"
      kill -0 "$child" 2>/dev/null || { evidence "$b/live.img" "$ledger"; return; }
      power_cut "$2" "$3" "$4"
    done
    kill -9 "$child" 2>/dev/null || true
    reap
    unmount "$work/live"
    detach "$live_loop"
    mv "$b/cut-untouched.img" "$b/live.img"
  done
}

# Makes and mounts the btrfs in which the images lie.
prepare_images() {
  [ "$(id -u)" = 0 ] || missing "power-cuts mounts file systems: run it as root"
  local tool
  for tool in mkfs.btrfs "mkfs.$fs" losetup mount; do
    command -v "$tool" >/dev/null || missing "power-cuts needs $tool (packages btrfs-progs, e2fsprogs or xfsprogs, util-linux)"
  done
  losetup --find >/dev/null 2>&1 || missing "power-cuts needs a free loop device (a kernel with the loop module)"
  truncate -s 8G "$work/btrfs.img"
  mkfs.btrfs -q "$work/btrfs.img" >/dev/null 2>&1
  attach "$work/btrfs.img"
  mount_at "$loop" "$work/btrfs" -o noatime || missing "power-cuts needs a kernel with btrfs"
}

power_cuts() {
  [ -z "$short" ] || { cuts=${cuts_given:-6} && control=${control_given:-3}; }
  prepare_images
  IFS=, read -ra all_writers <<<"$writers"
  : >"$work/judged"
  local all_durabilities all_consumers i count share d start
  IFS=, read -ra all_consumers <<<"$consumers"
  for i in "${all_consumers[@]}"; do program_of "$i" >/dev/null; done
  count=$((${#all_writers[@]} * ${#all_consumers[@]}))
  IFS=, read -ra all_durabilities <<<"${durability:-synced}"
  start=$(date +%s)
  for d in "${all_durabilities[@]}"; do
    for ((i = 0; i < count && !broken; i++)); do
      share=$((cuts / count + (i < cuts % count ? 1 : 0)))
      [ $share = 0 ] || cut_sessions $share "$d" "${all_writers[i % ${#all_writers[@]}]}" "${all_consumers[i / ${#all_writers[@]}]}"
    done
  done
  if [ "$control" -gt 0 ] && [ "$broken" = 0 ]; then cut_sessions "$control" written "${all_writers[${#all_writers[@]} - 1]}" "${all_consumers[0]}"; fi
  table "$work/judged"
  echo "(acked and present are sums over the cuts; the cuts of one session see the same elements more than once)"
  local losing
  losing=$(grep -c 'durability=WRITTEN .* lost=[1-9]' "$work/judged" || true)
  echo "power-cuts: $(grep -c ^judged "$work/judged") cuts in $(($(date +%s) - start)) s, broken=$broken," \
    "cuts in which the written queue lost acknowledged elements (the proof that they are cuts): $losing"
  if [ "$broken" = 0 ] && [ "$losing" = 0 ] && [ "$control" -gt 0 ]; then
    failed "the control lost nothing: these are no power cuts"
  fi
}

