import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Config, readConfig } from './config.ts'
import { SECRET_NAMES, SETTINGS, flagOf } from './settings.ts'

test('by default the service listens on localhost and stores its data in ./data', () => {
  const config = read({})
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 8080)
  assert.match(config.dataFolder, /^\/.*\/data$/)
  assert.equal(config.openIntake, true)
  assert.deepEqual(config.rateLimit, { is: 'on', intakePerMinute: 120, verifyPerMinute: 1200 })
  assert.equal(config.trustProxy, false)
  assert.equal(config.draftTtlHours, 72)
})

const OPEN_INTAKE: readonly (readonly [string, Record<string, string>, boolean])[] = [
  ['nothing is set', {}, true],
  ['the host is a loopback address', { KITSEAL_HOST: '127.0.0.2' }, true],
  ['the host is localhost', { KITSEAL_HOST: 'localhost' }, true],
  ['the host is ::1', { KITSEAL_HOST: '::1' }, true],
  ['the issuer is on loopback', { KITSEAL_ISSUER: 'http://localhost:8080' }, true],
  ['the service listens on every interface', { KITSEAL_HOST: '0.0.0.0' }, false],
  ['the service listens on every interface of IPv6', { KITSEAL_HOST: '::' }, false],
  ['the host is a name', { KITSEAL_HOST: 'kits.internal' }, false],
  ['the issuer is public', { KITSEAL_ISSUER: 'https://kits.example' }, false],
  ['the issuer only begins like a loopback address', { KITSEAL_ISSUER: 'https://127.0.0.1.example' }, false],
  ['a proxy is trusted', { KITSEAL_TRUST_PROXY: '1' }, false],
  ['a proxy is trusted by address', { KITSEAL_TRUST_PROXY: '127.0.0.1' }, false],
  ['proxies are not trusted, said so', { KITSEAL_TRUST_PROXY: 'off' }, true],
]
for (const [when, env, isOpen] of OPEN_INTAKE)
  test(`open intake is ${isOpen ? 'on' : 'off'} by default if ${when}, and as it is set otherwise`, () => {
    assert.equal(read(env).openIntake, isOpen)
    assert.equal(read({ ...env, KITSEAL_OPEN_INTAKE: 'on' }).openIntake, true)
    assert.equal(read({ ...env, KITSEAL_OPEN_INTAKE: 'off' }).openIntake, false)
  })

test('metrics listen on loopback by default, on the address that is given, or not at all', () => {
  assert.deepEqual(read({}).metrics, { is: 'on', host: '127.0.0.1', port: 9464, isGiven: false })
  for (const [value, host, port] of [
    ['127.0.0.1:9464', '127.0.0.1', 9464],
    ['[::]:0', '::', 0],
    ['node-1.internal:65535', 'node-1.internal', 65_535],
  ] as const)
    assert.deepEqual(read({ KITSEAL_METRICS_LISTEN: value }).metrics, { is: 'on', host, port, isGiven: true })
  assert.deepEqual(read({ KITSEAL_METRICS_LISTEN: 'off' }).metrics, { is: 'off', isGiven: true })
  for (const wrong of ['9464', ':9464', '::1:9464', '127.0.0.1', '127.0.0.1:65536', '[::1]', 'on'])
    assert.equal(problemsOf({ KITSEAL_METRICS_LISTEN: wrong }).length, 1, wrong)
})

test('a flag takes precedence over the environment, and an empty value counts as not set', () => {
  assert.equal(read({ KITSEAL_PORT: '1' }, { KITSEAL_PORT: '2' }).port, 2)
  assert.equal(read({ KITSEAL_PORT: '' }).port, 8080)
})

test('all problems are reported at once, each with the expected value', () => {
  const problems = problemsOf({
    KITSEAL_PORT: 'eighty',
    KITSEAL_OPEN_INTAKE: 'yes',
    KITSEAL_RATE_LIMIT: 'fast',
    KITSEAL_ISSUER: 'acme',
    KITSEAL_PROT: '8080',
    KITSEAL_LOG_LEVEL: 'loud',
    KITSEAL_SIGNER: 'pkcs11',
    KITSEAL_TRUST_PROXY: 'all',
  })
  for (const part of [
    'KITSEAL_PROT is not a known setting',
    'KITSEAL_PORT (or --port) is "eighty". Expected 0 to 65535',
    'KITSEAL_OPEN_INTAKE',
    'KITSEAL_RATE_LIMIT',
    'KITSEAL_ISSUER',
    'KITSEAL_LOG_LEVEL',
    'KITSEAL_PKCS11_MODULE (or --pkcs11-module) is not set',
    'KITSEAL_PKCS11_TOKEN',
    'KITSEAL_PKCS11_PIN_FILE',
    'KITSEAL_TRUST_PROXY',
  ]) {
    assert.ok(
      problems.some((problem) => problem.includes(part)),
      `${part} in\n${problems.join('\n')}`,
    )
  }
  assert.equal(problems.length, 10)
})

test('a required proof needs a witness policy or an authority, and paths are made absolute', () => {
  const none = { witnessPolicy: undefined, authorities: [], authorityRoots: undefined }
  assert.deepEqual(read({}).proof, { ...none, isRequired: false, waitMs: 2000, intervalMs: 1000 })
  const proof = read({
    KITSEAL_WITNESS_POLICY: '/etc/../w',
    KITSEAL_PROOF: 'require',
  }).proof
  assert.deepEqual(proof, {
    ...none,
    witnessPolicy: '/w',
    isRequired: true,
    waitMs: 2000,
    intervalMs: 1000,
  })
  const KITSEAL_TSA_URL = 'https://a.example/tsr, http://b.example'
  const stamped = read({ KITSEAL_TSA_URL, KITSEAL_TSA_ROOTS: '/r', KITSEAL_PROOF: 'require' }).proof
  assert.deepEqual(stamped.authorities, ['https://a.example/tsr', 'http://b.example'])
  assert.equal(stamped.authorityRoots, '/r')
  for (const wrong of [
    { KITSEAL_PROOF: 'require' },
    { KITSEAL_PROOF: 'always' },
    { KITSEAL_TSA_ROOTS: '/r' },
    { KITSEAL_TSA_URL: 'tsa.example' },
    { KITSEAL_TSA_URL: 'https://a.example,' },
    { KITSEAL_TSA_URL: 'https://a.example,https://a.example' },
    { KITSEAL_TSA_URL: 'https://user:password@a.example' },
    { KITSEAL_TSA_URL: 'ftp://a.example', KITSEAL_PROOF: 'require' },
  ])
    assert.equal(problemsOf(wrong).length, 1, JSON.stringify(wrong))
})

test('problems do not show secrets', () => {
  const problems = problemsOf({ KITSEAL_KEY_PASSPHRASE: 'hunter2', KITSEAL_PORT: 'x' })
  assert.doesNotMatch(problems.join(), /hunter2/)
})

test('settings of the command line are ignored, unknown names are rejected', () => {
  read({ KITSEAL_API_KEY: 'k', KITSEAL_TRUST_STORE: '/t', KITSEAL_URL: 'u', PATH: '/bin', kitseal_x: '1' })
  assert.equal(problemsOf({ KITSEAL_ANYTHING: '1' }).length, 1)
})

test('a rate limit is off, one number, or one number per class', () => {
  assert.deepEqual(read({ KITSEAL_RATE_LIMIT: 'off' }).rateLimit, { is: 'off' })
  assert.deepEqual(read({ KITSEAL_RATE_LIMIT: '60' }).rateLimit, {
    is: 'on',
    intakePerMinute: 60,
    verifyPerMinute: 60,
  })
  const each = read({ KITSEAL_RATE_LIMIT: 'verify=7, intake=6' }).rateLimit
  assert.deepEqual(each, { is: 'on', intakePerMinute: 6, verifyPerMinute: 7 })
  for (const value of [
    '0',
    '-1',
    'intake=1',
    'intake=1,verify=2,other=3',
    'on',
    '1.5',
    'intake=1,intake=2',
  ]) {
    assert.equal(problemsOf({ KITSEAL_RATE_LIMIT: value }).length, 1, value)
  }
})

test('an issuer is an http or https URL, without its trailing slash', () => {
  assert.equal(read({ KITSEAL_ISSUER: 'https://kits.example/' }).issuer, 'https://kits.example')
  for (const value of ['ftp://x', 'https://u:p@x', 'https://x/?q', 'https://x/#f', 'kits.example']) {
    assert.equal(problemsOf({ KITSEAL_ISSUER: value }).length, 1, value)
  }
})

test('proxies are trusted by number or by address', () => {
  assert.equal(read({ KITSEAL_TRUST_PROXY: '1' }).trustProxy, 1)
  assert.deepEqual(read({ KITSEAL_TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy, ['10.0.0.0/8', '::1'])
  for (const value of ['10.0.0.0/33', '10.0.0.0/0', '::1/129', '10.0.0/8', '300.0.0.1', '10.0.0.0/8/8'])
    assert.equal(problemsOf({ KITSEAL_TRUST_PROXY: value }).length, 1, value)
})

test('the ClamAV address is a socket path or host:port', () => {
  for (const value of ['/run/clamd.sock', './clamd.sock', 'clamav:3310', '[::1]:3310'])
    assert.equal(read({ KITSEAL_CLAMAV: value }).clamav, value)
  for (const value of ['clamav', 'clamav:', 'clamav:99999', ':3310'])
    assert.equal(problemsOf({ KITSEAL_CLAMAV: value }).length, 1, value)
})

test('PKCS#11 settings without KITSEAL_SIGNER=pkcs11 are rejected', () => {
  assert.equal(problemsOf({ KITSEAL_PKCS11_MODULE: '/x.so' }).length, 1)
})

test('every setting has its own flag and a description', () => {
  assert.equal(new Set(SETTINGS.map((setting) => flagOf(setting.name))).size, SETTINGS.length)
  assert.ok(SETTINGS.length <= 40, 'what nobody has to set is a row of limits.ts')
  for (const { name, meaning } of SETTINGS) assert.match(meaning, /\.$/, name)
  assert.equal(flagOf('KITSEAL_RATE_LIMIT'), '--rate-limit')
})

function read(env: Record<string, string>, flags: Record<string, string> = {}): Config {
  const result = readConfig(env, flags)
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

function problemsOf(env: Record<string, string>): readonly string[] {
  const result = readConfig(env)
  assert.ok(!result.ok)
  return result.problems
}

test('every secret can be in a file, and other settings cannot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-settings-'))
  try {
    const path = join(folder, 'secret')
    writeFileSync(path, 'postgres://u:p@db:5432/kits\n')
    for (const name of SECRET_NAMES) {
      assert.match(problemsOf({ [`${name}_FILE`]: join(folder, 'none') })[0] ?? '', /no such file/)
      assert.match(problemsOf({ [`${name}_FILE`]: path, [name]: 'x' })[0] ?? '', /both set/)
    }
    assert.equal(read({ KITSEAL_DATABASE_URL_FILE: path }).databaseUrl, 'postgres://u:p@db:5432/kits')
    assert.deepEqual(problemsOf({ KITSEAL_ISSUER_FILE: path }), [
      'KITSEAL_ISSUER_FILE is not a known setting. Remove it or correct its name.',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('problems do not quote the database URL', () => {
  const given = readConfig({ KITSEAL_DATABASE_URL: 'postgres://u:p@db:5432/kits', KITSEAL_ROLE: 'worker' })
  assert.ok(given.ok)
  assert.equal(given.value.databaseUrl, 'postgres://u:p@db:5432/kits')
  assert.equal(given.value.role, 'worker')
  assert.deepEqual(given.value.signer, { is: 'database' })
  for (const url of ['mysql://u:hunter2@db/kits', 'postgres://u:hunter2@db', 'hunter2']) {
    const wrong = readConfig({ KITSEAL_DATABASE_URL: url })
    assert.ok(!wrong.ok)
    assert.match(wrong.problems.join(), /KITSEAL_DATABASE_URL is not valid/)
    assert.doesNotMatch(wrong.problems.join(), /hunter2/)
  }
})
