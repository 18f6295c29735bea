#!/bin/sh
# Stands for systemctl where no systemd runs: does with the shop what the unit says. The address is its socket's.
pid_file=/run/vitrine.pid
is_active() { [ -f $pid_file ] && kill -0 "$(cat $pid_file)" 2>/dev/null; }
verb= units=
for argument; do
  case $argument in
    -*) ;;
    *) if [ -z "$verb" ]; then verb=$argument; else units="$units $argument"; fi ;;
  esac
done
echo "$verb$units" >>/run/systemctl.log
[ "$verb" != is-enabled ] || { echo enabled; exit 0; }
if [ "$verb" = preset ] || [ "$verb" = enable ]; then
  for unit in $units; do
    for target in $(sed -n 's/^WantedBy=//p' "/usr/lib/systemd/system/$unit"); do
      mkdir -p "/etc/systemd/system/$target.wants"
      ln -sf "/usr/lib/systemd/system/$unit" "/etc/systemd/system/$target.wants/$unit"
    done
  done
  exit 0
fi
case $units in *vitrine.service*) ;; *) exit 0 ;; esac
case $verb in
  start)
    is_active && exit 0
    mkdir -p /var/lib/vitrine && chown vitrine:vitrine /var/lib/vitrine && chmod 700 /var/lib/vitrine
    export VITRINE_STATE_DIR=/var/lib/vitrine VITRINE_RENDER_TIMEOUT=10000 VITRINE_ISOLATES=1
    VITRINE_LISTEN=$(cat /run/address) setsid setpriv --reuid vitrine --regid vitrine --clear-groups --no-new-privs \
      /usr/bin/vitrine serve --supervise >/run/vitrine.log 2>&1 </dev/null &
    echo $! >$pid_file ;;
  stop) is_active && kill -TERM "$(cat $pid_file)"; exit 0 ;;
  reload) kill -HUP "$(cat $pid_file)" ;;
  is-active) if is_active; then echo active; else echo inactive; exit 3; fi ;;
  *) exit 0 ;;
esac
