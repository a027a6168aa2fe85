import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import * as kit from '../../kit/src/internal.ts'
import { nodeHost, openKit } from '../../kit/node/internal.ts'
import { seededRandom } from '../../test/kit/seeded-random.ts'
import { ISSUER_KEYS } from '../../test/forge/keys.ts'
import { deflatedEntry, folderEntry, issuedZip, otherZip } from '../../test/forge/archive.ts'
import { draftKit, type Files, KIT_ID } from '../../test/forge/draft-kit.ts'
import { makeLogProof } from '../../test/forge/log-proof.ts'
import { vectors, VECTORS_FOLDER } from '../stored-vectors.ts'
import {
  PROGRAM,
  python,
  type PythonReport,
  runVectors,
  skipWithoutPython as skip,
  verify,
} from './python.ts'

const SEED = 7

for (const [name, options] of [
  ['with the package "cryptography", if it is installed', []],
  ['without packages', ['--without-package']],
] as const) {
  test(`the Python verifier gives the expected result for every vector, ${name}`, { skip }, () => {
    const results = runVectors(VECTORS_FOLDER, ...options)
    const checked = vectors.filter((vector) => vector.python === undefined)
    assert.ok(checked.length > 750)
    for (const { name: vector, kind, expected } of checked) {
      const got = results[vector]
      const isReport = kind === 'kit' || kind === 'receipt' || kind === 'proof'
      assert.deepEqual(isReport ? shortened(got as PythonReport, expected) : got, expected, vector)
    }
    assert.equal(Object.keys(results).length, checked.length)
  })
}

test(
  'no text of a tenant is shown as verified without quotes, and the name of a key is stated',
  { skip },
  () => {
    const forged = 'ci, token of https://token.actions.githubusercontent.com'
    const basis = { paths: [`data/${forged}`], statement: 'verified' }
    const entries = [
      { ...basis, source: 'ci_token', issuer: 'https://\u0430cme.example', run: forged },
      { ...basis, source: 'upload', key_id: 'key_1', key_name: forged },
      { ...basis, source: 'confirmed_address', address: 'ann@\u0430cme.example' },
    ]
    const result = {
      kit: { issuer: 'https://se\u0430l.example' },
      provenance: { problem: null, confirmed: true, entries },
    }
    const script = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
print(json.dumps(program.provenance_lines(json.loads(sys.argv[2]))))
`
    const lines = JSON.parse(python('-B', '-c', script, PROGRAM, JSON.stringify(result)).stdout) as string[]
    const [by, file] = ['+  verified by xn--sel-7cd.example:', `"data/${forged}"`]
    assert.deepEqual(lines.filter(Boolean), [
      `${by} token of "https://xn--cme-5cd.example" says, ${file}`,
      `   {"run":"${forged}"}`,
      `${by} upload, ${file}`,
      '   {"key_id":"key_1"}',
      `?  stated, not verified: upload, ${file}`,
      `   {"key_name":"${forged}"}`,
      `${by} confirmed_address, ${file}`,
      '   {"address":"ann@xn--cme-5cd.example"}',
    ])
  },
)

test(
  'headings, advice and exit codes are those of the specification and of the other verifier',
  { skip },
  () => {
    const format = readFileSync(path.join(import.meta.dirname, '../kit-format.md'), 'utf8')
    const table = /<!-- verdicts -->([^]*?)<!-- \/verdicts -->/.exec(format)?.[1] ?? ''
    const rows = table.matchAll(/^\| `(\w+)` *\| \w+ *\| (\d) *\| \w+ *\| (.*?) *\|/gm)
    const specified = Object.fromEntries(
      [...rows].map(([, verdict, code, heading]) => [verdict, [Number(code), heading]]),
    )
    const script = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
print(json.dumps({verdict: row[:2] for verdict, row in program.VERDICTS.items()}))
`
    assert.deepEqual(JSON.parse(python('-B', '-c', script, PROGRAM).stdout), specified)
    const all = script.replace('row[:2]', 'row')
    const words = (Object.keys(kit.VERDICTS) as kit.Verdict[]).map((verdict) => {
      const found = { verdict, signer: { revoked_at: 'DATE', trust: 'none' } } as const
      const advice = kit.verdictAdvice(found).replace(kit.keyText(found.signer), 'KEY')
      return [verdict, [kit.VERDICTS[verdict].exitCode, kit.verdictHeading(found), advice]]
    })
    assert.deepEqual(JSON.parse(python('-B', '-c', all, PROGRAM).stdout), Object.fromEntries(words))
  },
)

const vectorFile = (file: string): string => path.join(VECTORS_FOLDER, file)
const loggedCheck = (checks: readonly { readonly check: string }[]): object | undefined =>
  checks.find(({ check }) => check === 'receipt_is_logged')

test(
  'both verifiers call nothing logged that nobody known to the reader has signed, for the same reason',
  { skip },
  async () => {
    for (const [name, policy] of [
      ['valid/without-a-policy-nobody-asks-who-signed-the-log-proof.zip', undefined],
      ['tampered/another-key-under-the-name-of-the-log-is-unknown.zip', 'policies/two-of-three.policy'],
    ] as const) {
      const given = policy === undefined ? [] : ['--policy', vectorFile(policy)]
      const { stdout } = verify(
        vectorFile(name),
        '--jwks',
        vectorFile('keys/issuer.json'),
        ...given,
        '--json',
      )
      const logPolicy = policy && kit.parsePolicy(readFileSync(vectorFile(policy)), nodeHost.digest)
      using opened = await openKit(vectorFile(name))
      const keys = kit.parseJwks(kit.parseStrictJson(readFileSync(vectorFile('keys/issuer.json'))))
      assert.ok(keys.ok)
      const trust = { ...kit.trustKeys(keys.value), logPolicy: logPolicy || undefined }
      const { checks } = await kit.verifyKit(opened, trust, nodeHost)
      assert.deepEqual(
        loggedCheck((JSON.parse(stdout) as PythonReport).checks),
        loggedCheck(inEnglish(checks)),
      )
      assert.equal(checks.find(({ check }) => check === 'receipt_is_logged')?.result, 'not_run')
    }
  },
)

// Some bytes of a repacked kit may change, such as time stamps, so both PASS and FAIL occur.
test('both verifiers agree on archives with random bits flipped', { skip }, async () => {
  const statuses = await compare(flippedArchives(), async (folder, [name, bytes]) => {
    writeFileSync(path.join(folder, name), bytes)
  })
  assert.deepEqual(statuses, new Set(['PASS', 'FAIL']))
})

test('both verifiers agree on folders with files changed, removed and added', { skip }, async () => {
  const statuses = await compare(changedFolders(), async (folder, [name, files]) => {
    for (const [file, bytes] of files) {
      const place = path.join(folder, name, file)
      mkdirSync(path.dirname(place), { recursive: true })
      writeFileSync(place, bytes)
    }
  })
  assert.deepEqual(statuses, new Set(['PASS', 'FAIL']))
})

test('both verifiers ignore a bag-info.txt of more than 16 MiB', { skip }, async () => {
  const bagInfo = Buffer.alloc(2 ** 24 + 1, 'Key-Set-SHA256: another\n')
  const bytes = otherZip(draftKit({ artifacts: (files) => files.set('bag-info.txt', bagInfo) }).files)
  const statuses = await compare([['kit.zip', bytes]], async (folder, [name]) => {
    writeFileSync(path.join(folder, name), bytes)
  })
  assert.deepEqual(statuses, new Set(['PASS']))
})

test(
  '--json prints the members of our report but messages for translation, and the kit',
  { skip },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-python-'))
    try {
      const file = path.join(folder, 'kit.zip')
      const supplier = { workspace_id: 'ws_1', name: 'Supplier\u202e \u001b[2J' }
      const requested_by = { workspace_id: 'ws_2', name: 'Requester', confirmed_by: 'operator' }
      const report = JSON.stringify({ supplier, requested_by })
      const draft = draftKit({
        artifacts: (files) => files.set('reports/intake_report.json', Buffer.from(report)),
      })
      writeFileSync(file, issuedZip(draft.files))
      const { stdout, status } = verify(file, '--kid', draft.receipt.public_key_kid, '--json')
      assert.equal(status, 0)
      assert.match(stdout, /^[\n\x20-\x7e]*$/, 'ASCII without control characters')
      const { kit: details, ...printed } = JSON.parse(stdout) as PythonReport
      using opened = await openKit(file)
      const trust = { ...kit.NO_TRUST, kids: [draft.receipt.public_key_kid] }
      const { error_messages: _, checks, ...ours } = await kit.verifyKit(opened, trust, nodeHost)
      assert.deepEqual(printed, { ...ours, checks: inEnglish(checks) })
      const { kit_id, job_id, issuer, scope, issued_at } = draft.receipt
      const named = { ...supplier, confirmed_by: null }
      assert.deepEqual(details, { kit_id, job_id, issuer, supplier: named, requested_by, scope, issued_at })
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

/** The Python verifier says nothing in other languages. */
const inEnglish = (checks: readonly kit.CheckResult[]): readonly kit.CheckResult[] =>
  checks.map((check) => {
    const { why_message: _, ...rest } = check
    return rest
  })

/** Writes each case, verifies it with both, and returns the statuses. Texts may differ; everything else may not. */
async function compare<T extends readonly [name: string, content: unknown]>(
  cases: Iterable<T>,
  write: (folder: string, made: T) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-python-'))
  try {
    const keys = ISSUER_KEYS
    const ours = new Map<string, kit.VerificationReport>()
    for (const made of cases) {
      await write(folder, made)
      using opened = await openKit(path.join(folder, made[0]))
      ours.set(made[0], await kit.verifyKit(opened, kit.trustKeys(keys), nodeHost))
    }
    const index = [...ours.keys()].map((name) => ({
      name,
      file: name,
      kind: 'kit',
      trust: { confirmed_jwks: ['keys.json'] },
    }))
    writeFileSync(path.join(folder, 'keys.json'), JSON.stringify(keys))
    writeFileSync(path.join(folder, 'index.json'), JSON.stringify(index))
    const theirs = runVectors(folder)
    for (const [name, report] of ours)
      assert.deepEqual(withoutTexts(theirs[name] as PythonReport), withoutTexts(report), name)
    return new Set([...ours.values()].map(({ status }) => status))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function withoutTexts(report: PythonReport | kit.VerificationReport): object {
  // The Python verifier has no summaries of log and time: their facts are in the checks.
  const {
    kit: _,
    log: _log,
    time: _time,
    error_messages: _messages,
    ...rest
  } = {
    kit: undefined,
    log: undefined,
    time: undefined,
    error_messages: undefined,
    ...report,
  }
  const checks = report.checks.map(({ check, guarantee, result }) => ({ check, guarantee, result }))
  return { ...rest, checks, errors: codes(report.errors) }
}

/** The members of a report that a vector states. */
function shortened(report: PythonReport, expected: object): object {
  const { problem, entries } = (report['provenance'] ?? {}) as Partial<kit.ProvenanceReport>
  const provenance = problem === null ? entries?.length : null
  const all = { ...report, codes: codes(report.errors), signer: report.signer.trust, provenance }
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, (all as Record<string, unknown>)[name]]),
  )
}

const codes = (errors: readonly string[]): readonly string[] =>
  errors.map((error) => error.slice(0, error.indexOf(':')))

function* flippedArchives(): Generator<readonly [name: string, bytes: Uint8Array]> {
  const { files } = draftKit({ evidence: { 'data/über.txt': 'ü', 'data/a': 'a' } })
  const stored = otherZip(files)
  const packed = otherZip(files, (archive) => {
    archive.entries = archive.entries.map(({ name, data }) => deflatedEntry(name, data))
    archive.entries.push(folderEntry(`${KIT_ID}/data/`))
  })
  const { below: random } = seededRandom(SEED)
  for (const [kind, whole] of Object.entries({ stored, packed, issued: issuedZip(files) })) {
    yield [`${kind}.zip`, whole]
    const directory = Buffer.from(whole).indexOf('PK\x01\x02', 'latin1')
    for (let turn = 0; turn < 300; turn++) {
      const bytes = Buffer.from(whole)
      // Two in three flips are in the directory, where most ambiguities are.
      const at = turn % 3 === 0 ? random(directory) : directory + random(whole.length - directory)
      bytes[at]! ^= 1 << random(8)
      yield [`${kind}-${turn}-at-${at}.zip`, bytes]
    }
  }
}

function* changedFolders(): Generator<readonly [name: string, files: Files]> {
  const { files } = draftKit({ evidence: { 'data/über.txt': 'ü', 'data/a': 'a' } })
  yield ['whole', files]
  yield ['other', new Map([['notes.txt', Buffer.from('not a kit')]])]
  for (const [index, [name, bytes]] of [...files].entries()) {
    const without = new Map(files)
    without.delete(name)
    yield [`without-${index}`, without]
    yield [`emptied-${index}`, new Map(files).set(name, Buffer.alloc(0))]
    yield [`longer-${index}`, new Map(files).set(name, Buffer.concat([bytes, Buffer.from(' ')]))]
    const changed = Buffer.from(bytes)
    if (changed.length > 0) changed[Math.floor(changed.length / 2)]! ^= 1
    yield [`changed-${index}`, new Map(files).set(name, changed)]
  }
  yield ['added', new Map(files).set('data/new', Buffer.from('new'))]
  yield ['twin', new Map(files).set('data/A', Buffer.from('a'))]
  yield ['reserved', new Map(files).set('proofs/log.tlog-proof', Buffer.from('log'))]
  const logged = draftKit({ logProof: makeLogProof() }).files
  yield ['logged', logged]
  const proof = logged.get(kit.LOG_PROOF_PATH)!
  const { below: random } = seededRandom(SEED)
  for (let turn = 0; turn < 100; turn++) {
    const flipped = Buffer.from(proof)
    flipped[random(proof.length)]! ^= 1 << random(8)
    yield [`logged-${turn}`, new Map(logged).set(kit.LOG_PROOF_PATH, flipped)]
  }
  yield ['added-zalgo', new Map(files).set('data/u\u0308ber.txt', Buffer.from('ü'))]
}
