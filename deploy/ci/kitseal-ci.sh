#!/bin/sh
# Seals evidence in a CI job: installs kitseal from the files of a release, and submits. Without EVIDENCE, it only installs.
# For Linux; needs sha256sum, and curl if the release is a URL.
#
#   KITSEAL_RELEASE         the URL or folder of a release, with SHA256SUMS. Not needed where kitseal is installed
#   KITSEAL_RELEASE_SHA256  the SHA-256 of its SHA256SUMS, so that nobody can replace the release
#   KITSEAL_URL, KITSEAL_FEDERATION_ID, EVIDENCE; LABEL, PROFILE, OUT, KID, JWKS, ACCEPT, SERIES, TAGS, PROVENANCE,
#   COLLECTOR, COLLECTOR_COMMAND, SYSTEM: as for the inputs of action.yml
set -eu

fail() {
  echo "kitseal: $1" >&2
  exit 2
}

# Installs the executable, which brings its own Node.js and leaves that of the job alone.
install_kitseal() {
  case "$(uname -sm)" in
    'Linux x86_64') file=kitseal-linux-x64 ;;
    'Linux aarch64') file=kitseal-linux-arm64 ;;
    *) fail "the release has no executable for $(uname -sm). Install kitseal-VERSION.tgz of the release with npm before this step." ;;
  esac
  [ -n "${KITSEAL_RELEASE:-}" ] || fail 'set KITSEAL_RELEASE to the URL or the folder of a release. kitseal is not published on any registry.'
  release=${KITSEAL_RELEASE%/}
  bin=$(mktemp -d)
  for name in SHA256SUMS "$file"; do
    case "$release" in
      https://*) curl -fsSL --proto '=https' --retry 3 -o "$bin/$name" "$release/$name" || fail "cannot download $release/$name" ;;
      *://*) fail 'KITSEAL_RELEASE must be an https URL or a folder.' ;;
      *) cp "$release/$name" "$bin/$name" || fail "$release has no $name" ;;
    esac
  done
  cd "$bin"
  if [ -n "${KITSEAL_RELEASE_SHA256:-}" ]; then
    echo "$KITSEAL_RELEASE_SHA256  SHA256SUMS" | sha256sum --check --status ||
      fail 'SHA256SUMS of the release is not the one in KITSEAL_RELEASE_SHA256.'
  fi
  grep "  $file\$" SHA256SUMS | sha256sum --check --status || fail "$file does not match SHA256SUMS of the release."
  mv "$file" kitseal
  chmod +x kitseal
  cd "$OLDPWD"
  "$bin/kitseal" --version || fail 'the executable does not run here. It needs glibc, which Alpine Linux does not have.'
  PATH="$bin:$PATH"
  # Later steps of a GitHub job find it too.
  [ -z "${GITHUB_PATH:-}" ] || echo "$bin" >>"$GITHUB_PATH"
}
command -v kitseal >/dev/null || install_kitseal
[ -n "${EVIDENCE+set}" ] || exit 0
[ -n "$EVIDENCE" ] || fail 'name the file or folder with the evidence.'

# A JSON string.
quoted() {
  printf '"%s"' "$(printf %s "$1" | tr '\000-\037' ' ' | sed 's/[\\"]/\\&/g')"
}

# Repository, commit and run are verified with the token of the job. What is written here is only stated. Without a collector
# nobody says when the evidence was collected: files in a repository can be old.
if [ -z "${PROVENANCE:-}" ] && [ -n "${SYSTEM:-}${COLLECTOR:-}" ]; then
  PROVENANCE=$(mktemp)
  {
    printf '{'
    [ -z "${SYSTEM:-}" ] || printf '"system":%s' "$(quoted "$SYSTEM")"
    [ -z "${COLLECTOR:-}" ] || {
      printf '%s"collected_at":"%s"' "${SYSTEM:+,}" "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
      printf ',"collector":{"name":%s' "$(quoted "$COLLECTOR")"
      [ -z "${COLLECTOR_COMMAND:-}" ] || printf ',"command":%s' "$(quoted "$COLLECTOR_COMMAND")"
      printf '}'
    }
    printf '}'
  } >"$PROVENANCE"
fi

set -- --profile "${PROFILE:-default}" --out "${OUT:-.}"
set -- "$@" --summary "${GITHUB_STEP_SUMMARY:-kitseal.md}" --outputs "${GITHUB_OUTPUT:-kitseal.env}"
[ -z "${LABEL:-}" ] || set -- "$@" --label "$LABEL"
[ -z "${SERIES:-}" ] || set -- "$@" --series "$SERIES"
[ -z "${PROVENANCE:-}" ] || set -- "$@" --provenance "$PROVENANCE"
# Lists are separated by commas or line breaks.
set -f
IFS=',
'
for each in ${KID:-}; do set -- "$@" --kid "${each# }"; done
for each in ${JWKS:-}; do set -- "$@" --jwks "${each# }"; done
for each in ${ACCEPT:-}; do set -- "$@" --accept "${each# }"; done
for each in ${TAGS:-}; do set -- "$@" --tag "${each# }"; done
exec kitseal submit "$@" -- "$EVIDENCE"
