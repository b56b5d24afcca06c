#!/usr/bin/env bash
# Runs a script as root of a machine of its own: changes below /etc, /opt, /usr/local and /var/lib are seen only here, and
# forgotten at the end. `systemctl` and `journalctl` do what the units say, as far as these tests need it.
#   unshare --mount --propagation private machine.sh SCRIPT
set -euo pipefail

mount -t tmpfs tmpfs /mnt
for folder in etc opt usr/local var/lib; do
  mkdir -p "/mnt/$folder/upper" "/mnt/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=/mnt/$folder/upper,workdir=/mnt/$folder/work" "/$folder"
done
mkdir -p /mnt/run /mnt/bin
chmod 755 /mnt /mnt/bin
export PATH=/mnt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

cat >/mnt/bin/systemctl <<'END'
#!/usr/bin/env bash
set -euo pipefail
valueOf() { sed -n "s/^$2=//p" "/etc/systemd/system/$1.service" | tail -1 | sed 's/%%/%/g'; }
start() {
  for folder in $(valueOf "$1" StateDirectory); do install -d -m 700 -o gatehouse -g gatehouse "/var/lib/$folder"; done
  cd "$(valueOf "$1" WorkingDirectory)"
  asUser=(setsid env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin setpriv --reuid gatehouse --regid gatehouse --clear-groups)
  if [ "$(valueOf "$1" Type)" = oneshot ]; then
    "${asUser[@]}" bash -c "umask 077; $(valueOf "$1" ExecStart)"
    "${asUser[@]}" bash -c "$(valueOf "$1" ExecStartPost)"
  else
    touch "/mnt/run/$1.log"
    "${asUser[@]}" bash -c "umask 077; exec $(valueOf "$1" ExecStart)" >>"/mnt/run/$1.log" 2>&1 </dev/null &
    echo $! >"/mnt/run/$1.pid"
  fi
}
case $1 in
  daemon-reload) ;;
  enable) shift 2; for unit; do case $unit in *.timer) ;; *) start "$unit" ;; esac; done ;;
  start) start "$2" ;;
  reload) MAINPID=$(cat "/mnt/run/$2.pid") bash -c "$(valueOf "$2" ExecReload)" ;;
  stop) kill "$(cat "/mnt/run/$2.pid")"; tail --pid="$(cat "/mnt/run/$2.pid")" -f /dev/null ;;
esac
END
cat >/mnt/bin/journalctl <<'END'
#!/bin/sh
exec cat "/mnt/run/$2.log"
END
chmod 755 /mnt/bin/*

stopAll() {
  for file in /mnt/run/*.pid; do [ -e "$file" ] && kill "$(cat "$file")" 2>/dev/null || true; done
}
trap stopAll EXIT

# until COMMAND…: waits up to a minute until the command succeeds.
waitFor() {
  for _ in $(seq 300); do "$@" >/dev/null 2>&1 && return 0; sleep 0.2; done
  echo "never: $*" >&2
  return 1
}

source "$1"
