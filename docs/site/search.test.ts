import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { searcher } from './search-index.ts'

const search = searcher(readFileSync(new URL('../dist/search.json', import.meta.url), 'utf8'))

/** What people type, and the page that answers it. */
const QUESTIONS: Readonly<Record<string, string>> = {
  docker: 'how-to/run-in-production',
  'how do I run it in docker': 'how-to/run-in-production',
  k8s: 'how-to/run-several-nodes',
  'verify in ten years': 'how-to/verify-in-ten-years',
  'what do I keep for long term archival': 'how-to/verify-in-ten-years',
  'what if the issuer is gone': 'how-to/verify-in-ten-years',
  'what does it cost': 'explanation/performance',
  'how much memory and disk': 'explanation/performance',
  'does it phone home': 'reference/outgoing-connections',
  'firewall rules': 'reference/outgoing-connections',
  'air gapped': 'reference/outgoing-connections',
  pagination: 'reference/api',
  'how do I get the next page of a list': 'reference/api',
  'rotate the signing key': 'how-to/run-in-production',
  'kitseal admin signing-key': 'reference/cli',
  'signing key was stolen': 'how-to/replace-a-signing-key',
  'revoke a key and reissue kits': 'how-to/replace-a-signing-key',
  'how do I verify a kit': 'how-to/check-a-kit',
  'verify offline without kitseal': 'how-to/check-a-kit',
  'what does PASS mean': 'explanation/trust',
  'sender not confirmed': 'how-to/check-a-kit',
  'exit codes': 'reference/cli',
  credits_exhausted: 'reference/error-codes',
  'error 429': 'reference/error-codes',
  storage_full: 'reference/error-codes',
  KITSEAL_ISSUER: 'reference/settings',
  KITSEAL_TSA_URL: 'reference/settings',
  'environment variables': 'reference/settings',
  'which port does it listen on': 'reference/settings',
  backup: 'how-to/back-up-and-upgrade',
  'how do I back up the database': 'how-to/back-up-and-upgrade',
  'restore from backup': 'how-to/back-up-and-upgrade',
  login: 'reference/cli',
  sso: 'how-to/run-in-production',
  'sign in with okta': 'how-to/run-in-production',
  'lost passkey': 'how-to/run-in-production',
  'smtp server': 'how-to/send-mail',
  'invitation email not arriving': 'how-to/send-mail',
  'postgres and s3': 'how-to/run-several-nodes',
  'high availability': 'how-to/run-several-nodes',
  minio: 'how-to/run-several-nodes',
  'github actions': 'how-to/submit-from-ci',
  'CI without storing an api key': 'how-to/submit-from-ci',
  'python client': 'how-to/use-it-from-python',
  'how do I use it with claude': 'how-to/use-it-from-an-assistant',
  mcp: 'how-to/use-it-from-an-assistant',
  'generate a go client from openapi': 'how-to/integrate-a-program',
  webhook: 'how-to/receive-webhooks',
  'verify webhook signature': 'how-to/receive-webhooks',
  'resume an interrupted upload': 'how-to/upload-large-evidence',
  'ask a vendor for documents': 'how-to/request-evidence',
  'quarterly access review': 'how-to/run-a-quarterly-program',
  'data room for auditors': 'how-to/share-a-kit',
  'share a kit with a password': 'how-to/share-a-kit',
  'delete personal data gdpr': 'how-to/hold-and-delete-evidence',
  'legal hold': 'how-to/hold-and-delete-evidence',
  splunk: 'how-to/send-the-audit-log-to-a-siem',
  prometheus: 'how-to/look-after-the-service',
  'readyz returns 503': 'how-to/look-after-the-service',
  'log is frozen': 'how-to/back-up-and-upgrade',
  'run a witness': 'how-to/witnesses',
  timestamp: 'how-to/witnesses',
  'public witnesses': 'how-to/witnesses',
  'someone issued kits with my key': 'how-to/run-a-monitor',
  'export as in-toto': 'reference/exports',
  oscal: 'reference/exports',
  'allowed file types': 'reference/evidence-rules',
  possible_secret: 'reference/evidence-rules',
  'seal prowler output': 'how-to/seal-the-run-of-a-scanner',
  'rate limits': 'reference/limits',
  'how many kits per second': 'explanation/performance',
  'how much does it scale': 'explanation/scaling',
  'report a vulnerability': 'explanation/security',
  'what is a manifest': 'reference/kit-format',
  'what changed between two kits': 'how-to/find-and-compare',
  'tags and search': 'how-to/find-and-compare',
  hsm: 'how-to/run-in-production',
  'kit.created event': 'reference/events',
  'how do I install it': 'how-to/install',
  'install without internet': 'how-to/install',
  podman: 'how-to/install',
  'upgrade to a new version': 'how-to/back-up-and-upgrade',
  'go back to the old version': 'how-to/back-up-and-upgrade',
  'right to be forgotten': 'how-to/hold-and-delete-evidence',
  retention: 'how-to/hold-and-delete-evidence',
  'max file size': 'reference/evidence-rules',
  'proxy nginx': 'how-to/run-in-production',
  'docker secrets': 'reference/settings',
  'multi tenant': 'how-to/run-in-production',
  'what is a workspace': 'reference/glossary',
  'what is a receipt': 'reference/glossary',
  'roles and permissions': 'reference/api',
  'invite a colleague': 'how-to/run-in-production',
  'remove a user who left': 'how-to/run-in-production',
  'who downloaded my file': 'how-to/share-a-kit',
  'upload from excel list': 'how-to/run-a-quarterly-program',
  quantum: 'how-to/verify-in-ten-years',
  idempotency: 'reference/api',
  'job stuck': 'how-to/look-after-the-service',
  'service wont start': 'how-to/look-after-the-service',
  healthcheck: 'how-to/look-after-the-service',
  downgrade: 'how-to/back-up-and-upgrade',
  kms: 'how-to/run-in-production',
  vault: 'reference/settings',
  'bug bounty': 'explanation/security',
  pentest: 'explanation/security',
  license: 'explanation/performance',
  'open source': 'explanation/performance',
  'node version': 'how-to/install',
  vanta: 'how-to/integrate-a-program',
  'slack notification': 'how-to/receive-webhooks',
  'is it admissible in court': 'reference/audit-log',
  'supplier page in german': 'how-to/request-evidence',
  'password in file rejected': 'reference/evidence-rules',
  redact: 'how-to/share-a-kit',
  'two factor': 'how-to/run-in-production',
  oauth: 'reference/settings',
  'service account': 'how-to/submit-from-ci',
  'is a kit encrypted': 'how-to/share-a-kit',
  'what if the issuer is bankrupt': 'how-to/verify-in-ten-years',
  'notify me of downloads': 'how-to/share-a-kit',
  'free trial': 'reference/cli',
  ubuntu: 'how-to/install',
  cloudflare: 'how-to/run-in-production',
}

test('a question finds its page among the first three results', () => {
  const missed = Object.entries(QUESTIONS).flatMap(([question, page]) => {
    const found = search(question)
      .slice(0, 3)
      .map(({ url }) => url)
    return found.some((url) => url.split('#')[0] === `/docs/${page}`)
      ? []
      : [`${question} → ${page}\n    found ${found.join(' ') || 'nothing'}`]
  })
  assert.deepEqual(missed, [], missed.join('\n'))
})

test('an error code, a setting and an operation are found where they are', () => {
  for (const [query, url] of [
    ['KITSEAL_ISSUER', '/docs/reference/settings#row.KITSEAL_ISSUER'],
    ['credits_exhausted', '/docs/reference/error-codes#row.credits_exhausted'],
    ['verifyReceipt', '/docs/api/verification#verify-a-receipt'],
  ] as const)
    assert.equal(search(query)[0]?.url, url)
})

test('a typing error is forgiven', () => {
  assert.equal(search('passkye')[0]?.url, search('passkey')[0]?.url)
  assert.deepEqual(search('zzzzqqq'), [])
})
