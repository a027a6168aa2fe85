import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { root } from '../../test/generated-files.ts'
import { docsEntries } from './docs-entries.ts'
import { readGuidePages } from './guide-pages.ts'
import type { Described } from './openapi-document.ts'
import { indexDocs, searchDocs } from './search-docs.ts'

const api = JSON.parse(readFileSync(new URL('spec/openapi.json', root), 'utf8')) as Described
const index = indexDocs(docsEntries(readGuidePages(), api))
const firstThree = (query: string): readonly string[] =>
  searchDocs(index, query)
    .hits.slice(0, 3)
    .map(({ entry }) => entry.url)

/** What people type, and the page that answers it. */
const QUESTIONS: Readonly<Record<string, string>> = {
  docker: 'how-to/run-in-production',
  'how do I run it in docker': 'how-to/run-in-production',
  k8s: 'how-to/run-several-nodes',
  'verify in ten years': 'how-to/verify-in-ten-years',
  'what do I keep for long term archival': 'how-to/verify-in-ten-years',
  'what if the issuer is gone': 'how-to/verify-in-ten-years',
  'what does it cost': 'explanation/what-it-costs-to-run',
  'how much memory and disk': 'explanation/what-it-costs-to-run',
  'does it phone home': 'reference/outgoing-connections',
  'firewall rules': 'reference/outgoing-connections',
  'air gapped': 'reference/outgoing-connections',
  pagination: 'reference/api',
  'how do I get the next page of a list': 'reference/api',
  'rotate the signing key': 'how-to/run-in-production',
  'kitseal admin signing-key': 'reference/cli',
  'signing key was stolen': 'how-to/handle-a-leaked-signing-key',
  'revoke a key and reissue kits': 'how-to/re-issue-kits',
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
  'github actions': 'how-to/submit-from-ci-without-a-secret',
  'CI without storing an api key': 'how-to/submit-from-ci-without-a-secret',
  'python client': 'how-to/use-it-from-python',
  'how do I use it with claude': 'how-to/use-it-from-an-assistant',
  mcp: 'how-to/use-it-from-an-assistant',
  'generate a go client from openapi': 'how-to/generate-a-client',
  webhook: 'how-to/receive-webhooks',
  'verify webhook signature': 'how-to/receive-webhooks',
  'resume an interrupted upload': 'how-to/upload-large-evidence',
  'ask a vendor for documents': 'how-to/request-evidence',
  'quarterly access review': 'how-to/run-a-quarterly-program',
  'data room for auditors': 'how-to/open-a-room-for-an-auditor',
  'share a kit with a password': 'how-to/share-a-kit',
  'delete personal data gdpr': 'how-to/hold-and-delete-evidence',
  'legal hold': 'how-to/hold-and-delete-evidence',
  splunk: 'how-to/send-the-audit-log-to-a-siem',
  prometheus: 'how-to/monitor',
  'readyz returns 503': 'how-to/monitor',
  'log is frozen': 'how-to/repair-a-frozen-log',
  'run a witness': 'how-to/have-your-log-witnessed',
  timestamp: 'how-to/have-your-log-witnessed',
  'public witnesses': 'how-to/join-the-witness-network',
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
  'what changed between two kits': 'how-to/compare-quarters',
  'tags and search': 'how-to/find-evidence-again',
  hsm: 'how-to/run-in-production',
  'kit.created event': 'reference/events',
  'how do I install it': 'how-to/install',
  'install without internet': 'how-to/install',
  podman: 'how-to/install',
  'upgrade to a new version': 'how-to/upgrade',
  'go back to the old version': 'how-to/upgrade',
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
  'job stuck': 'how-to/monitor',
  'service wont start': 'how-to/monitor',
  healthcheck: 'how-to/monitor',
  downgrade: 'how-to/upgrade',
  kms: 'how-to/run-in-production',
  vault: 'reference/settings',
  'bug bounty': 'explanation/security',
  pentest: 'explanation/security',
  license: 'explanation/what-it-costs-to-run',
  'open source': 'explanation/what-it-costs-to-run',
  'node version': 'how-to/install',
  vanta: 'how-to/integrate',
  'slack notification': 'how-to/receive-webhooks',
  'is it admissible in court': 'reference/audit-log',
  'supplier page in german': 'how-to/request-evidence',
  'password in file rejected': 'reference/evidence-rules',
  redact: 'how-to/share-a-kit',
  'two factor': 'how-to/run-in-production',
  oauth: 'reference/settings',
  'service account': 'how-to/submit-from-ci-without-a-secret',
  'is a kit encrypted': 'how-to/hand-evidence-to-an-auditor',
  'what if the issuer is bankrupt': 'how-to/verify-in-ten-years',
  'notify me of downloads': 'how-to/share-a-kit',
  'free trial': 'reference/cli',
  ubuntu: 'how-to/install',
  cloudflare: 'how-to/run-in-production',
}

test('a question finds its page among the first three results', () => {
  const missed = Object.entries(QUESTIONS).flatMap(([question, page]) => {
    const found = firstThree(question)
    return found.some((url) => url.split('#')[0] === `/docs/${page}`)
      ? []
      : [`${question} → ${page}\n    found ${found.join(' ') || 'nothing'}`]
  })
  assert.deepEqual(missed, [], missed.join('\n'))
})

const place = (page: string, heading: string, text: string) => ({
  url: `/${page}#${heading}`,
  page,
  heading,
  text,
  about: '',
})
const found = (query: string, ...entries: readonly ReturnType<typeof place>[]): readonly string[] =>
  searchDocs(indexDocs(entries), query).hits.map(({ entry }) => entry.page)

test('a title counts more than a heading, and a heading more than the text', () => {
  const places = [place('a', 'b', 'witness'), place('c', 'Witness', 'b'), place('Witness', 'c', 'b')]
  assert.deepEqual(found('witnesses', ...places), ['Witness', 'c', 'a'])
})

test('a place with all words comes before one with some, and one with the phrase before both', () => {
  const places = [
    place('some', '', 'cosign cosign cosign'),
    place('all', '', 'a checkpoint, to cosign it'),
    place('phrase', '', 'cosign a checkpoint'),
    place('none', '', 'receipts'),
  ]
  assert.deepEqual(found('cosign a checkpoint', ...places), ['phrase', 'all', 'some'])
})

test('a heading that is the word comes before one that has it, and a short text counts like a usual one', () => {
  const usual = 'witness '.padEnd(400, 'other ')
  const places = [place('b', 'a receipt of it', 'c'), place('a', 'receipt', 'c')]
  assert.deepEqual(found('what is a receipt', ...places), ['a', 'b'])
  assert.deepEqual(found('witness', place('usual', '', usual), place('short', '', 'witness')), [
    'usual',
    'short',
  ])
})

test('one page is one result, with its other places beside the best', () => {
  const places = [
    place('one', 'Keys', 'rotate keys'),
    place('one', 'Rotate keys', 'how'),
    place('two', '', 'keys'),
  ]
  const { hits } = searchDocs(indexDocs(places), 'rotate keys')
  assert.deepEqual(
    hits.map(({ entry, more }) => [entry.heading, more.map(({ heading }) => heading)]),
    [
      ['Rotate keys', ['Keys']],
      ['', []],
    ],
  )
})

test('words that people use for ours find our words, and what was typed counts more', () => {
  const places = [place('ours', '', 'The container image'), place('theirs', '', 'docker run')]
  assert.deepEqual(found('docker', ...places), ['theirs', 'ours'])
  assert.deepEqual(found('log in', place('a', '', 'Sign in with a passkey'), place('b', '', 'the sign')), [
    'a',
  ])
})

test('a typing error is corrected, and said, only if no page has the word', () => {
  const places = indexDocs([place('a', '', 'a passkey'), place('b', '', 'a witness'), place('c', '', 'cast')])
  const corrected = (query: string) => searchDocs(places, query).corrections
  assert.deepEqual(corrected('paskey'), [['paskey', 'passkey']])
  assert.deepEqual(corrected('witnses'), [['witnses', 'witness']])
  assert.deepEqual(corrected('dokcer'), [['dokcer', 'docker']])
  for (const query of ['passkey', 'passk', 'cat', 'past', 'unrelated', 'pxsxkxy'])
    assert.deepEqual(corrected(query), [], query)
  assert.deepEqual(searchDocs(places, 'unrelated').hits, [])
})

test('the excerpt shows where the words are close together, and marks them', () => {
  const text = `A key. ${'Other words. '.repeat(40)}The signing key is rotated. ${'More. '.repeat(40)}`
  const [hit] = searchDocs(indexDocs([place('a', '', text)]), 'rotate signing keys').hits
  assert.deepEqual(
    hit?.excerpt.filter(({ isMatch }) => isMatch).map((part) => part.text),
    ['signing', 'key', 'rotated'],
  )
  assert.ok((hit?.excerpt ?? []).map((part) => part.text).join('').length < 220)
})

test('a hostile query costs little', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const unknown = Array.from({ length: 26 }, (_, at) => `verificati${letters[at]}x${letters[25 - at]}`).join(
    ' ',
  )
  const before = process.cpuUsage()
  for (const query of [
    unknown,
    'a '.repeat(100),
    `${'e'.repeat(200)}`,
    'the of and to key kit a',
    '\0 _ __ (((',
  ])
    searchDocs(index, query.slice(0, 200))
  assert.ok(process.cpuUsage(before).user < 1_500_000, `${process.cpuUsage(before).user} µs`)
})
