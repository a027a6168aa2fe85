import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { textOf } from '@kitseal/kit/internal'
import { type Contents, zipOf } from '../../test/evidence-samples.ts'
import { examine, noticed } from '../../test/examine.ts'
import { classProblem } from '../policy.ts'
import { SecretFinder } from './find-secrets.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))
const letters = (length: number): string =>
  Array.from({ length }, (_, index) => 'aB3dE5fG7hJ2kL4mN6pQ8rS'[(index * 7) % 23]).join('')
const capitals = (length: number): string =>
  letters(length * 2)
    .toUpperCase()
    .replaceAll(/[^A-Z2-7]/g, '')
    .slice(0, length)

/** Joined here, so that no scanner takes this file for a leak. */
const SECRETS: Readonly<Record<string, string>> = {
  'AWS access key ID': `AK${'IA'}${capitals(16)}`,
  'GitHub token': `gh${'p_'}${letters(36)}`,
  'GitLab token': `gl${'pat-'}${letters(20)}`,
  'Slack token': `xo${'xb-'}123456789012-${letters(24)}`,
  'Google API key': `AI${'za'}${letters(35)}`,
  'Stripe key': `sk_${'live_'}${letters(24)}`,
  'npm token': `np${'m_'}${letters(36)}`,
  'SendGrid key': `S${'G.'}${letters(22)}.${letters(43)}`,
  'Azure storage key': `Account${'Key='}${letters(86)}==`,
  'kitseal API key': `ks_${'key_'}${letters(22)}_${letters(49)}`,
  'signed token (JWT)': `ey${'J'}${letters(20)}.ey${'J'}${letters(20)}.${letters(40)}`,
  'connection string with a password': `postgres${'://'}app:${letters(12)}@db.internal/app`,
}

/** What a message may show: the part that all secrets of a kind have. */
const START = /^(?:A[KI](?:IA|za)|gh._|glpat-|xoxb-|sk_live_|npm_|SG\.|AccountKey=|ks_key_|eyJ)|:\/\//

test('each kind of secret is found with its line, loose, in an archive, in UTF-16, and is not repeated in the message', async () => {
  for (const [title, secret] of Object.entries(SECRETS)) {
    const text = `first line\nsecond line ${secret}\n`
    const files = {
      'a.log': text,
      'b.txt': Buffer.from(`\ufeff${text}`, 'utf16le'),
      'e.zip': zipOf({ 'c.md': text }),
    }
    const { blockers, findings } = await examine(files)
    const secrets = findings.filter(({ code }) => code === 'possible_secret')
    assert.deepEqual(
      blockers.map(({ code }) => code),
      Array.from({ length: 3 }, () => 'possible_secret'),
    )
    assert.deepEqual(
      secrets.map(({ path, message }) => `${path} ${message}`),
      ['a.log', 'b.txt', 'e.zip/c.md'].map(
        (path) => `${path} The file may contain a secret. Line 2: ${title} ${START.exec(secret)?.[0]}…`,
      ),
      title,
    )
    assert.ok(!JSON.stringify(findings).includes(secret.slice(-12)))
  }
})

test('a secret is found wherever chunks are split', () => {
  const secret = SECRETS['GitHub token'] ?? ''
  const text = new TextEncoder().encode(`${'x\n'.repeat(3000)}${secret}\n${'y'.repeat(5000)}`)
  for (const step of [7, 100, 2048, 2049, 6001, 6020, 9000]) {
    const finder = new SecretFinder()
    for (let at = 0; at < text.length; at += step) finder.push(text.slice(at, at + step))
    assert.deepEqual(
      finder.end(undefined).map(({ code, detail = '' }) => [code, textOf(detail)]),
      [['possible_secret', 'line 3001: GitHub token ghp_…']],
      String(step),
    )
  }
})

test('passwords in settings are found; placeholders, references and ordinary text are not', async () => {
  const password = letters(14)
  assert.deepEqual(
    await found({
      'a.env': `HOST=db\nDB_PASSWORD=${password}\n`,
      'b.yaml': `db:\n  password: "${password}"\n`,
      'c.json': `{"api_key": "${password}"}`,
      'd.ini': 'password = ${DB_PASSWORD1}\npassword = changeme123\napi_key = <your-key-1>\nsecret_key=\n',
      'e.txt': `the password = ${password}\n`,
      'f.yaml': 'password: {{ vault_password1 }}\ntoken: secretKeyRef\npassword_max_length: 1234567890\n',
      'g.md': 'Use AKIAIOSFODNN7EXAMPLE and postgres://user:password@localhost/db as examples.\n',
      'h.md': 'postgres://USER:PASSWORD@HOST/DATABASE or postgres://someuser:somepassword@somehost/db\n',
    }),
    ['secret possible_secret a.env', 'secret possible_secret b.yaml', 'secret possible_secret c.json'],
  )
})

test('private keys are a danger in every form, also in JSON and in archives; public keys and mentions are not', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = (type: 'pkcs1' | 'pkcs8'): string => rsa.privateKey.export({ type, format: 'pem' }).toString()
  const begin = `-----BEGIN ${'PRIVATE KEY'}-----`
  const pgp = `-----BEGIN PGP ${'PRIVATE KEY'} BLOCK-----\nVersion: x\n\n${`${letters(64)}\n`.repeat(3)}`
  const files = {
    'a.pem': pem('pkcs1'),
    'b.txt': `see\n${pem('pkcs8')}`,
    'c.pem': ec.privateKey.export({ type: 'sec1', format: 'pem' }),
    'd.json': JSON.stringify({ private_key: pem('pkcs8') }),
    'e.key': ec.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
    'f.ppk': `PuTTY-User-${'Key-File-3'}: ssh-ed25519\nEncryption: none\nComment: a\n`,
    'g.asc': pgp,
    'h.der': rsa.privateKey.export({ type: 'pkcs8', format: 'der' }),
    'i.der': rsa.privateKey.export({ type: 'pkcs1', format: 'der' }),
    'j.bin': ec.privateKey.export({ type: 'sec1', format: 'der' }),
    'k.der': ec.privateKey.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase: 'x' }),
    'l.id': `-----BEGIN OPENSSH ${'PRIVATE KEY'}-----\n${`${letters(70)}\n`.repeat(3)}`,
  }
  const expected = Object.keys(files).map((name) => `danger private_key ${name}`)
  assert.deepEqual(
    (await found(files)).filter((line) => line.startsWith('danger')),
    expected,
  )
  assert.deepEqual(
    (await found({ 'e.zip': zipOf(files) })).filter((line) => line.startsWith('danger')),
    expected.map((line) => line.replace('private_key ', 'private_key e.zip/')),
  )
  const harmless = {
    'a.pem': rsa.publicKey.export({ type: 'spki', format: 'pem' }),
    'b.der': rsa.publicKey.export({ type: 'spki', format: 'der' }),
    'c.md': `A key starts with ${begin} and ends with another line.\n`,
    'd.go': `const header = "${begin}"\nvar other = "text that is not a key"\n`,
  }
  assert.deepEqual(
    (await found(harmless)).filter((line) => !line.startsWith('notice')),
    [],
  )
})

test('a secret blocks until it is acknowledged by its code, comes first, and cannot be made less strict', async () => {
  const files = { 'a.pdf': '', 'z.env': `DB_PASSWORD=${letters(14)}\n` }
  const first = await examine(files)
  assert.deepEqual(
    first.blockers.map(({ code, path }) => `${code} ${path}`),
    ['possible_secret z.env', 'empty_file a.pdf'],
  )
  assert.match(first.blockers[0]?.message ?? '', /Line 1: password or key in settings DB_PASSWORD=…$/)
  const accepted = await examine(files, { accept: ['possible_secret', 'empty_file'] })
  assert.deepEqual(accepted.blockers, [])
  assert.deepEqual(
    accepted.findings.map(({ class: kind, acknowledged }) => `${kind} ${acknowledged}`),
    ['secret true', 'damage true'],
  )
  assert.deepEqual((await examine(files, { accept: ['empty_file'] })).blockers.length, 1)
  for (const asked of ['notice', 'damage', 'secret']) assert.ok(classProblem('possible_secret', asked))
  assert.equal(classProblem('possible_secret', 'danger'), undefined)
  assert.ok(classProblem('script_content', 'secret'))
})

test('no finding quotes a secret, whatever else is wrong with the file', async () => {
  const secret = SECRETS['GitHub token'] ?? ''
  const files = {
    'a.json': `{"token": "${secret}" "x"`,
    'b.yaml': `token: "${secret}\n  - [x\n: :`,
    'c.xml': `<a token="${secret}"><b></a>`,
    'd.csv': `a,b\n"${secret}`,
    'e.eml': `${secret}\nno header`,
    'f.toml': `token = ${secret}\n[`,
    SHA256SUMS: `${secret}  x\n`,
  }
  const { findings } = await examine(files)
  assert.ok(findings.length > 7)
  assert.ok(!JSON.stringify(findings).includes(secret.slice(4, 20)), JSON.stringify(findings))
})

test('a private key that a secret scanner quotes is a possible secret; anywhere else it is a danger', async () => {
  const key = `-----BEGIN ${'RSA'} PRIVATE KEY-----\nMIIEowIBAAKCAQEA${'q83T'.repeat(20)}\n`
  const finding = {
    RuleID: 'private-key',
    Description: 'Private Key',
    StartLine: 1,
    EndLine: 2,
    StartColumn: 1,
    EndColumn: 30,
    Match: key,
    Secret: key,
    File: 'id_rsa',
    SymlinkFile: '',
    Commit: 'a'.repeat(40),
    Entropy: 6,
    Author: 'A',
    Email: 'a@example.com',
    Date: '2026-05-04T10:00:00Z',
    Message: 'add',
    Tags: [],
    Fingerprint: `${'a'.repeat(40)}:id_rsa:private-key:1`,
  }
  const files = { 'gitleaks.json': JSON.stringify([finding]), 'other.json': JSON.stringify([{ Match: key }]) }
  const { findings } = await examine(files, { accept: ['possible_secret'] })
  assert.deepEqual(
    findings.map((one) => `${one.class} ${one.code} ${one.path} ${one.acknowledged}`),
    ['danger private_key other.json false', 'secret possible_secret gitleaks.json true'],
  )
})
