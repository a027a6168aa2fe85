#!/bin/sh
# Creates the secrets of the compose files in deploy/secrets, and keeps those that are there. Only you can open the folder; in it, files are
# readable, because containers read them as another user.
set -eu
cd "$(dirname "$0")/.."
mkdir -p -m 700 secrets
chmod 700 secrets
umask 022
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { [ -s "secrets/$1" ] || printf '%s\n' "$2" >"secrets/$1"; }
keep passphrase "$(random)"
keep postgres-password "$(random)"
keep database-url "postgres://kitseal:$(cat secrets/postgres-password)@database:5432/kitseal"
keep s3-secret "$(random)"
keep aws-credentials "[default]
aws_access_key_id = kitseal
aws_secret_access_key = $(cat secrets/s3-secret)"
