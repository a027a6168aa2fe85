#!/usr/bin/env bash
# A real S3 server for tests: a Ceph monitor, one OSD that keeps its data in memory, and the RADOS gateway, on loopback
# and in one folder.
#   test/kit/s3-server.sh install            installs Ceph, if it is missing
#   test/kit/s3-server.sh up FOLDER [PORT]   starts it and prints the environment variables for clients
#   test/kit/s3-server.sh down FOLDER        stops what `up` started, by process id
#   test/kit/s3-server.sh stop|start FOLDER  stops and restarts the gateway; its data stays
# Exit code 3: Ceph is missing and cannot be installed.
set -euo pipefail

action=${1:?usage: s3-server.sh install, or s3-server.sh up|down|stop|start FOLDER [PORT]}

install_missing() {
  command -v radosgw >/dev/null && command -v ceph-mon >/dev/null && command -v ceph-osd >/dev/null && return
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'Ceph is not installed and only root can install it (radosgw, ceph-mon, ceph-osd, ceph-common)' >&2
    exit 3
  fi
  export DEBIAN_FRONTEND=noninteractive
  { apt-get -qq update && apt-get -qq install -y --no-install-recommends ceph-mon ceph-osd ceph-common radosgw; } \
    >/dev/null 2>&1 || { echo 'Ceph cannot be installed' >&2; exit 3; }
}

if [ "$action" = install ]; then
  install_missing
  exit
fi

mkdir -p "${2:?a folder}"
folder=$(cd "$2" && pwd)
export CEPH_CONF="$folder/ceph.conf"

end_process() {
  local file=$1 id
  [ -s "$file" ] || return 0
  id=$(cat "$file")
  kill -9 "$id" 2>/dev/null || true
  # Wait until its port is free.
  for _ in $(seq 50); do
    grep -q '^State:[[:space:]]*[^Z]' "/proc/$id/status" 2>/dev/null || break
    sleep 0.1
  done
  rm -f "$file"
}

write_settings() {
  cat > "$CEPH_CONF" <<SETTINGS
[global]
fsid = $1
mon host = [v1:127.0.0.1:$2]
public addr = 127.0.0.1
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
osd objectstore = memstore
memstore device bytes = 4294967296
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
osd class update on start = true
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 2000
mon data = $folder/mon
osd data = $folder/osd
keyring = $folder/keyring
run dir = $folder/run
admin socket = $folder/run/\$name.asok
pid file = $folder/run/\$name.pid
log file = $folder/log/\$name.log
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:$3
rgw data = $folder/rgw
SETTINGS
}

# On a busy machine the OSD may contact the monitor too early and exit; start it again.
start_osd() {
  for _ in 1 2 3 4 5; do
    timeout 30 ceph-osd -i 0
    for _ in $(seq 30); do
      sleep 0.1
      timeout 10 ceph osd stat 2>/dev/null | grep -q ' 1 up' && return
      kill -0 "$(cat "$folder/run/osd.0.pid" 2>/dev/null)" 2>/dev/null || break
    done
  done
  return 1
}

start_gateway() {
  local port
  port=$(cat "$folder/port")
  timeout 60 radosgw -n client.rgw >/dev/null 2>&1 || true
  for _ in $(seq 200); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return
    sleep 0.1
  done
  echo "the gateway does not respond; see $folder/log" >&2
  exit 1
}

# Each step has a timeout: Ceph tools wait forever for a missing monitor, for example if its port was taken.
start_cluster() {
  local cluster=$1 port=$2 osd
  osd=$(cat /proc/sys/kernel/random/uuid)
  monmaptool --create --fsid "$cluster" --addv a "[v1:127.0.0.1:$port]" "$folder/monmap" &&
    timeout 30 ceph-mon --mkfs -i a --monmap "$folder/monmap" &&
    timeout 30 ceph-mon -i a &&
    timeout 30 ceph osd new "$osd" &&
    timeout 30 ceph-osd -i 0 --mkfs --osd-uuid "$osd" &&
    start_osd &&
    timeout 60 radosgw-admin user create --uid=kitseal --display-name=kitseal \
      --access-key=kitseal --secret-key=kitseal-secret
}

up() {
  install_missing
  local port=$1 id
  mkdir -p "$folder"/{mon,osd,rgw,log,run}
  touch "$folder/keyring"
  echo "$port" > "$folder/port"
  id=$(cat /proc/sys/kernel/random/uuid)
  write_settings "$id" "$((port + 1))" "$port"
  if ! start_cluster "$id" "$((port + 1))" > "$folder/log/up.log" 2>&1; then
    echo "Ceph did not start: $(tail -n 3 "$folder/log/up.log")" >&2
    exit 1
  fi
  start_gateway
  printf '%s\n' "S3_ENDPOINT=http://127.0.0.1:$port" AWS_ACCESS_KEY_ID=kitseal \
    AWS_SECRET_ACCESS_KEY=kitseal-secret AWS_REGION=us-east-1
}

case $action in
  up) up "${3:-17480}" ;;
  stop) end_process "$folder/run/client.rgw.pid" ;;
  start) start_gateway ;;
  down)
    for file in "$folder"/run/*.pid; do end_process "$file"; done
    rm -rf "$folder"
    ;;
  *) echo "unknown action: $action" >&2; exit 2 ;;
esac
