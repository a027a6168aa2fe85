import { wordsOf } from './docs-words.ts'

/** What people type, and the words of these pages. The words that were typed count more. */
const SYNONYMS: readonly (readonly [typed: string, meant: string])[] = [
  ['docker, podman, oci', 'container'],
  ['k8s, kubernetes, chart', 'helm, kubernetes'],
  ['pagination, paginate, paging, page size, next page', 'cursor'],
  ['rotate, rotation, key rollover, renew', 'new signing key, rotate'],
  ['login, log in, signin, log on', 'sign in'],
  ['sso, saml, okta, entra, azure ad, keycloak', 'openid connect, oidc, sso'],
  ['mfa, 2fa, password, webauthn', 'passkey'],
  ['oidc', 'openid connect, federation'],
  ['github actions, gitlab, pipeline, jenkins', 'ci'],
  ['backup, backups, snapshot, disaster recovery', 'back up, restore'],
  ['upgrade, update, migrate, migration', 'upgrade'],
  ['install, setup, set up', 'install'],
  ['env, environment variable, config, configuration', 'setting'],
  ['email, e mail, smtp', 'mail, smtp'],
  ['postgres, pg, psql', 'postgresql'],
  ['minio, bucket, blob storage', 's3'],
  ['ha, high availability, cluster, replicas, failover', 'several nodes'],
  ['tls, https, ssl, certificate, nginx, caddy', 'https, reverse proxy'],
  ['vendor, third party', 'supplier'],
  ['dataroom, data room', 'room'],
  ['checklist, template', 'profile'],
  ['gdpr, erase, erasure, remove, purge', 'delete, erasure'],
  ['litigation hold, retain', 'legal hold, retention'],
  ['hsm, pkcs11, pkcs 11, yubikey, softhsm', 'hardware security module, pkcs 11'],
  ['compromised, stolen, leak', 'leaked, compromised'],
  ['timestamp, timestamping, rfc 3161', 'time stamp'],
  ['transparency, merkle, ledger, blockchain', 'transparency log'],
  ['tampered, forged, modified, corrupt', 'altered, forgery'],
  ['splunk, elastic, sentinel', 'siem'],
  ['metrics, grafana, alert, observability', 'monitor, prometheus'],
  ['throttle, too many requests, 429', 'rate limit, 429'],
  ['quota', 'limit, plan'],
  ['price, pricing, cost, cheap, expensive', 'cost'],
  ['speed, fast, slow, benchmark, throughput, latency', 'performance'],
  ['capacity, hardware, sizing, ram', 'memory, cost'],
  ['firewall, egress, outbound, telemetry, phone home, air gapped, airgap', 'outgoing connection'],
  ['long term, forever, archival', 'ten years'],
  ['llm, ai, chatgpt, claude, copilot, agent', 'assistant, mcp'],
  ['sdk, library', 'client'],
  ['verification, validate, authenticity', 'verify'],
  ['hash, digest, sha256', 'sha 256, checksum'],
  ['resume, resumable, big file, tus', 'large evidence, resumable'],
  ['callback, notification', 'webhook, event'],
  ['token, credential', 'api key, token'],
  ['scanner, prowler, trivy, nessus', 'scanner, recognised'],
  ['term, definition, meaning', 'glossary'],
  ['scopes, permission, rbac', 'scope, role'],
  ['c2pa, sigstore, scitt, rfc 9942', 'cose'],
  ['macos, mac, osx, windows, arm', 'platform, windows, macos'],
]

const stems = (text: string): string =>
  wordsOf(text)
    .map(({ stem }) => stem)
    .join(' ')

/** By the stems of what is typed. */
export const MEANT: ReadonlyMap<string, readonly string[]> = new Map(
  SYNONYMS.flatMap(([typed, meant]) =>
    typed.split(', ').map((words) => [stems(words), meant.split(', ').map(stems)] as const),
  ),
)
