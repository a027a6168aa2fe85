// Own process: it changes the working folder.
// What commands answer: the exit code, and lines that must appear on stdout or stderr.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  base64url,
  canonicalJson,
  canonicalReceiptSha256,
  leafBytes,
  LOG_PROOF_PATH,
  receiptLeaf,
  signedBytes,
  utf8,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { keySetOf, makeKit, testSigner, writeFolder } from '../../../kit/test/make-kit.ts'
import { proofOf, testLogKey, testWitness } from '../../../kit/test/make-log.ts'
import { kitseal } from '../../kit/command.ts'
import { follows } from './follows.ts'

const KID = 'UDDReOZl1ipXAfp9wYsm13sDBMK5og--QWdBjzuf6o4'
const OTHER_KID = 'AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo'
const BOUNDARY = 'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.'
const UNCHANGED = 'The files are unchanged, and the receipt is signed with'

const startedIn = process.cwd()
const folders: string[] = []

/** A new working folder with kits: whole, unpacked, forged, logged; the issuer's key set and policies. */
beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-commands-'))
  folders.push(folder)
  process.chdir(folder)
  const { zip, contents } = await makeKit({ 'report.txt': 'all is well\n', 'notes/a.txt': 'a\n' })
  writeFileSync('kit.zip', zip)
  writeFileSync('cut.zip', zip.subarray(0, 3000))
  writeFolder('unpacked', contents)
  const keys = { ...keySetOf(testSigner(), { iat: 1_700_000_000 }), revoked_keys: [] }
  writeFileSync('jwks.json', JSON.stringify(keys))
  const forger = testSigner(66)
  const forged = await makeKit({ 'report.txt': 'all is bad\n' }, { signer: forger, jwks: keySetOf(forger) })
  writeFileSync('forged.zip', forged.zip)
})
after(() => {
  process.chdir(startedIn)
  for (const folder of folders) rmSync(folder, { recursive: true })
})

test('a kit that is whole and signed with a known key passes', async () => {
  await follows([
    [
      'verify kit.zip --jwks jwks.json',
      0,
      'kit      kit_0123456789abcdefghijkl',
      'name     Quarter 3',
      'issuer   https://issuer.example',
      'issued   2026-03-04T05:06:07.890Z',
      `key      ${KID}, the key you gave`,
      'pass     The archive is well-formed and unambiguous',
      'pass     Every file in the manifest is present and unchanged',
      'pass     The kit contains no files that the manifest does not list',
      'pass     The manifest matches the receipt',
      'pass     The receipt is well-formed and matches its own hash',
      'pass     The receipt, signature and key set files are consistent',
      "pass     The receipt's key ID matches a public key",
      'pass     The signing key was active when the receipt was issued',
      "pass     The receipt's Ed25519 signature is valid",
      'pass     The signing key is known from outside the kit',
      'PASS  Verified',
      `${UNCHANGED} the key you gave.`,
      BOUNDARY,
    ],
    [`verify unpacked --kid ${KID}`, 0, 'PASS  Verified'],
  ])
})

test('the JSON of a verification has the result, each check, the signer, the boundary and the claims', async () => {
  const { code, stdout } = await kitseal(['verify', 'kit.zip', '--jwks', 'jwks.json', '--json'])
  const { checks, ...rest } = JSON.parse(stdout) as { checks: readonly { result: string }[] }
  assert.equal(code, 0)
  assert.deepEqual(
    checks.map(({ result }) => result),
    Array(10).fill('pass'),
  )
  assert.deepEqual(rest, {
    status: 'PASS',
    verdict: 'verified',
    manifest_hash_valid: true,
    artifact_hashes_valid: true,
    receipt_canonical_hash_valid: true,
    ed25519_signature_valid: true,
    kid_matched: true,
    errors: [],
    error_messages: [],
    signer: { kid: KID, trust: 'jwks', key_from: { source: 'given' } },
    boundary: BOUNDARY,
    kit: {
      kit_id: 'kit_0123456789abcdefghijkl',
      job_id: 'job_0123456789abcdefghijkl',
      issuer: 'https://issuer.example',
      supplier: null,
      scope: 'Quarter 3',
      issued_at: '2026-03-04T05:06:07.890Z',
    },
  })
})

test('a kit whose signer is not known from outside has exit code 3, also with its own keys', async () => {
  await follows([
    [
      'verify kit.zip',
      3,
      'kit      kit_0123456789abcdefghijkl   (claimed, not proved)',
      'issuer   https://issuer.example, named in the kit',
      `key      ${KID}, a key that is not confirmed`,
      "not run  The receipt's Ed25519 signature is valid: the signature matches the key in the kit, which is not trusted",
      'FAIL     The signing key is known from outside the kit',
      '- signer_not_trusted: no key of https://issuer.example was provided or pinned',
      'FAIL  Files intact. Sender not confirmed yet.',
    ],
    [
      'verify kit.zip --use-kit-keys',
      3,
      '- signer_not_trusted: integrity only: the key came with the kit, so it does not prove who signed it',
    ],
    () => copyFileSync('unpacked/jwks.json', 'copy.json'),
    [
      'verify kit.zip --jwks copy.json',
      3,
      "- signer_not_trusted: this key set is the kit's own copy. Get the key set from the issuer instead",
    ],
  ])
})

test('a forged or altered kit fails with exit code 1, an unreadable one with 2, and both say where', async () => {
  await follows([
    [
      'verify forged.zip --jwks jwks.json',
      1,
      '- key_not_in_jwks: key nEArpjG3kYMcxbdzInyGlBEYQUw7RfAfe3Tw1fZvAA0 is not in the key set',
      'FAIL  Not signed by the issuer it names',
    ],
    () =>
      writeFileSync(
        'renamed.json',
        readFileSync('jwks.json', 'utf8').replace(/"kid":"[^"]*"/, '"kid":"mine"'),
      ),
    [
      'verify kit.zip --jwks renamed.json',
      1,
      '- key_not_in_jwks: key … is not in the key set; a key in it has the kid "mine", which is not its thumbprint …',
    ],
    () => {
      appendFileSync('unpacked/data/report.txt', 'x')
      writeFileSync('unpacked/extra', '')
    },
    [
      'verify unpacked --jwks jwks.json',
      1,
      'FAIL     Every file in the manifest is present and unchanged',
      'FAIL     The kit contains no files that the manifest does not list',
      '- artifact_hash_mismatch: data/report.txt was changed, 13 bytes instead of 12: its SHA-256 is …, the manifest lists …',
      '- artifact_unlisted: extra is not listed in the manifest',
    ],
    [
      'verify .',
      2,
      'kitseal verify: . is not a kit: it contains neither manifest.json nor receipt.json. Pass kit.zip, or the folder that contains them.',
    ],
    [
      'verify cut.zip --jwks jwks.json',
      2,
      'not run  Every file in the manifest is present and unchanged: there is no valid manifest to compare with',
      '- kit_unreadable: there is no end record: this is not a zip archive, or it is truncated',
      'FAIL  Not a readable kit',
    ],
  ])
})

test('control characters of a kit are escaped', async () => {
  const { sealed, contents } = await makeKit()
  const unsigned = {
    ...sealed.receipt,
    scope: 'a\u001b[2Jb\u202ec',
    issuer: "https://x.example/'; rm -rf /; '",
  }
  const hashed = { ...unsigned, canonical_receipt_sha256: canonicalReceiptSha256(unsigned, nodeHost.digest) }
  const signature = await testSigner().sign(signedBytes(hashed))
  const receipt = { ...hashed, signature: base64url(signature) }
  const loud = new Map(contents)
    .set('receipt.json', utf8(canonicalJson(receipt)))
    .set('receipt.canonical.json', signedBytes(receipt))
    .set('receipt.sig', signature)
  writeFolder('loud', loud)
  await follows([
    [
      'verify loud',
      3,
      'name     a\\u001b[2Jb\\u202ec',
      "- signer_not_trusted: no key of https://x.example/'; rm -rf /; ' was provided or pinned",
    ],
    () => writeFileSync('unpacked/a\u009bb\u202e', ''),
    [
      'verify unpacked --jwks jwks.json --json',
      1,
      '"artifact_unlisted: a\\u009bb\\u202e is not listed in the manifest"',
    ],
    ['check -\u001b[2J', 2, 'kitseal check: unknown option -\\u001b[2J'],
  ])
})

test('a log proof is checked against the policy of the reader', async () => {
  const { sealed, contents } = await makeKit()
  const log = testLogKey('issuer.example/log')
  const witnesses = ['w1.example', 'w2.example'].map(testWitness)
  const leaf = leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest))
  const at = { index: 5, size: 11, log, witnesses: witnesses.slice(0, 1), time: 1_772_600_768 }
  writeFolder('logged', new Map(contents).set(LOG_PROOF_PATH, proofOf(leaf, at)))
  const lines = [`log ${vkey(log.key)}`, ...witnesses.map(({ key }) => `witness ${key.name} ${vkey(key)}`)]
  for (const needed of ['any', 'all']) {
    const group = `group g ${needed} w1.example w2.example`
    writeFileSync(`${needed}.policy`, `${[...lines, group, 'quorum g'].join('\n')}\n`)
  }
  await follows([
    [
      'verify logged --jwks jwks.json',
      0,
      'not run  The receipt is in a log whose key is known from outside the kit: the log proof fits, but who signed it was not checked: no key of issuer.example/log is known from outside the kit',
      'not run  The log and its witnesses meet your policy: no log policy was given',
    ],
    [
      'verify logged --jwks jwks.json --policy any.policy',
      0,
      'pass     The receipt is in a log whose key is known from outside the kit: entry 6 of the log issuer.example/log, which then had 11 entries',
      'pass     The log and its witnesses meet your policy: 1 of 2 witnesses cosigned; the quorum was met at 2026-03-04T05:06:08.000Z',
      'pass     Witnesses or a time-stamp confirm the time of the receipt: existed before 2026-03-04 05:06:08 UTC (seen by 1 of 2 witnesses)',
    ],
    [
      'verify logged --jwks jwks.json --policy all.policy',
      3,
      'FAIL     The log and its witnesses meet your policy',
      '- log_quorum_not_met: 1 of 2 witnesses cosigned, which is less than the policy asks for',
      'FAIL  Files intact. Sender not confirmed yet.',
    ],
    [
      'verify kit.zip --jwks jwks.json --policy any.policy',
      3,
      '- log_proof_missing: the policy asks for a log proof, and there is none',
    ],
    [
      'verify logged --jwks jwks.json --policy jwks.json',
      2,
      'kitseal verify: jwks.json is not a policy: the last line of the policy does not end with a line feed',
    ],
    [
      'verify logged --jwks jwks.json --policy missing.policy',
      2,
      'kitseal verify: cannot read missing.policy: no such file or folder',
    ],
    [
      'verify unpacked/data/report.txt proof.json --jwks jwks.json --policy any.policy',
      2,
      'kitseal verify: --policy is for kits: the proof of a file contains no log proof',
    ],
  ])
})

test('wrong usage has exit code 2, names what is wrong, and suggests what was meant', async () => {
  await follows([
    ['verfy kit.zip', 2, 'kitseal: unknown command "verfy". Did you mean verify?', 'See "kitseal --help".'],
    ['version', 2, 'kitseal: unknown command "version". Did you mean --version?'],
    ['help verfy', 2, 'kitseal: unknown command "verfy". Did you mean verify?'],
    ['help admin keys', 2, 'kitseal admin: unknown command "keys". Did you mean key?'],
    ['help trust', 0, 'usage: kitseal trust add ISSUER …'],
    ['diff -h', 0, 'usage: kitseal diff OLD-KIT NEW-KIT [--all] [--json]'],
    [
      'verify',
      2,
      'kitseal verify: no kit given. Pass a kit.zip or an unpacked kit folder',
      'Run "kitseal verify --help" for usage.',
    ],
    ["verify '' --jwks jwks.json", 2, 'kitseal verify: empty argument'],
    ['verify missing.zip', 2, 'kitseal verify: cannot read missing.zip: no such file or folder'],
    [
      'verify kit.zip --jwk jwks.json --kid short',
      2,
      'kitseal verify: unknown option --jwk. Did you mean --jwks?',
      'kitseal verify: "short" is not a key ID, which has 43 characters, such as …',
    ],
    ['verify kit.zip --hepl', 2, 'kitseal verify: unknown option --hepl. Did you mean --help?'],
    [
      'verify kit.zip --jwks kit.zip',
      2,
      'kitseal verify: kit.zip is not a key set: not UTF-8 (at character 0)',
    ],
    [
      'verify kit.zip jwks.json',
      2,
      'kitseal verify: jwks.json is a key set, not a proof. Pass it with --jwks.',
    ],
    [
      'verify kit.zip --jwks jwks.json --use-kit-keys',
      2,
      'kitseal verify: --use-kit-keys cannot be combined with --jwks or --kid',
    ],
    [
      `verify kit.zip --issuer http://issuer.example --kid ${KID}`,
      2,
      'kitseal verify: --issuer cannot be combined with --jwks, --kid or --use-kit-keys',
      'kitseal verify: --issuer must be an https URL, such as https://issuer.example, not "http://issuer.example"',
    ],
    ['prove kit.zip', 2, 'kitseal prove: pass a kit and the path of a file in it'],
    ['trust ad x', 2, 'kitseal trust: unknown command "ad". Did you mean add?'],
    ['keygen -x key', 2, 'kitseal keygen: unknown option -x'],
    () => symlinkSync('self', 'self'),
    ['verify self', 2, 'kitseal verify: cannot read self: too many symbolic links'],
    [
      'verify kit.zip/a',
      2,
      'kitseal verify: cannot read kit.zip/a: part of the path is a file, not a folder',
    ],
    [`verify ${'x'.repeat(300)}`, 2, 'kitseal verify: cannot read x…: the name is too long'],
    ['verify /dev/null', 2, '…/dev/null: not a regular file: save the kit to a file first'],
    ['prove /dev/zero report.txt', 2, '…/dev/zero: not a regular file: save the kit to a file first'],
    [
      'diff kit.zip /dev/null',
      2,
      'kitseal diff: cannot compare /dev/null: not a regular file: save the kit to a file first',
    ],
    ['verify missing.zip --json', 2, '"status": "ERROR",', '"code": "input_unreadable",'],
    ['check missing.csv --json', 2, '"message": "cannot read missing.csv: no such file or folder"'],
  ])
})

const proof = (): string => readFileSync('report.txt.proof.json', 'utf8')

test('the proof of a file verifies the file alone, and nothing else', async () => {
  const FORGED = '0ab55839dc48167751feca67b9256a6a088bc4d6787e91697c4f6aaae5753d7b'
  await follows([
    [
      'prove kit.zip report.txt',
      0,
      'Wrote report.txt.proof.json',
      `To verify: kitseal verify report.txt report.txt.proof.json --kid ${KID}`,
    ],
    () => copyFileSync('unpacked/data/report.txt', 'report.txt'),
    [
      'verify report.txt report.txt.proof.json --jwks jwks.json',
      0,
      'pass     The file belongs to the kit that the receipt was issued for',
      'PASS  Verified',
    ],
    () => assert.ok(!proof().includes('notes'), 'other files stay unnamed'),
    () => writeFileSync('report.txt', 'forged\n'),
    [
      'verify report.txt report.txt.proof.json --jwks jwks.json',
      1,
      `- artifact_hash_mismatch: the file does not match data/report.txt: its SHA-256 is ${FORGED}, the proof is for …`,
    ],
    [
      'verify report.txt report.txt',
      2,
      '- proof_malformed: the proof is not strict JSON: expected a value (at character 0)',
    ],
    () => writeFileSync('twice.json', proof().replace(/^\{/, '{"path":"data/other.txt",')),
    [
      'verify report.txt twice.json',
      2,
      '- proof_malformed: the proof is not strict JSON: duplicate member "path" …',
    ],
    () => writeFileSync('marked.json', `\uFEFF${proof()}`),
    ['verify report.txt marked.json', 2, '…unexpected byte order mark (at character 0)'],
    () => {
      writeFileSync('large.json', '')
      truncateSync('large.json', 17 << 20)
    },
    [
      'verify report.txt large.json',
      2,
      'kitseal verify: cannot read large.json: it is larger than 16 MiB, too large for a proof',
    ],
    ['verify report.txt /dev/zero', 2, 'kitseal verify: cannot read /dev/zero: it is not a regular file'],
    ['verify report.txt unpacked', 2, 'kitseal verify: cannot read unpacked: it is a folder'],
    ['prove kit.zip receipt.json', 2, "kitseal prove: receipt.json is not in the kit's manifest"],
    [
      'prove kit.zip data/reports.txt',
      2,
      "kitseal prove: data/reports.txt is not in the kit's manifest. Did you mean data/report.txt?",
    ],
    ['prove kit.zip a.txt', 2, '…Did you mean data/notes/a.txt?'],
    [
      'prove kit.zip report.txt',
      2,
      'kitseal prove: report.txt.proof.json already exists. Choose another name with --out.',
    ],
    [
      'prove kit.zip report.txt --out kit.zip',
      2,
      'kitseal prove: kit.zip already exists. Choose another name with --out.',
    ],
    () => writeFileSync('unpacked/data/report.txt', 'changed\n'),
    [
      'prove unpacked report.txt --out new.json',
      2,
      'kitseal prove: data/report.txt was changed in the kit. …',
    ],
    () => rmSync('unpacked/data/report.txt'),
    [
      'prove unpacked report.txt --out new.json',
      2,
      "kitseal prove: data/report.txt is in the kit's manifest but missing from the kit",
    ],
    () => assert.ok(!existsSync('new.json')),
  ])
})

test('printed commands quote what a shell would read', async () => {
  mkdirSync('odd')
  writeFileSync("odd/$(touch pwned) it's.txt", 'a\n')
  writeFileSync('odd/-rf.txt', 'b\n')
  await follows([
    ['keygen k.key', 0],
    [
      "seal odd --key k.key --issuer https://x.example --out '-odd $HOME.zip'",
      0,
      'Wrote -odd $HOME.zip: 2 files, 4 bytes',
      "To verify: kitseal verify './-odd $HOME.zip' --kid …",
    ],
    [
      "prove './-odd $HOME.zip' data/-rf.txt",
      0,
      'To verify: kitseal verify ./-rf.txt ./-rf.txt.proof.json --kid …',
    ],
  ])
  const { stdout } = await kitseal(['prove', './-odd $HOME.zip', "$(touch pwned) it's.txt"])
  assert.ok(
    stdout.includes(`verify '$(touch pwned) it'\\''s.txt' '$(touch pwned) it'\\''s.txt.proof.json' --kid`),
    stdout,
  )
})

test('a folder is sealed with an own key, which is never overwritten, and kits are compared', async () => {
  mkdirSync('evidence/sub', { recursive: true })
  writeFileSync('evidence/a.txt', 'a\n')
  writeFileSync('evidence/sub/ü.txt', 'b\n')
  const SEAL = 'seal evidence --key issuer.key --issuer https://issuer.example'
  await follows([
    [
      'keygen issuer.key',
      0,
      'private key  issuer.key  (keep it secret)',
      'public keys  issuer.key.jwks.json  (publish it)',
    ],
    () => assert.equal(statSync('issuer.key').mode & 0o777, 0o600),
    ['keygen issuer.key', 2, 'kitseal keygen: issuer.key already exists. Keys are never overwritten.'],
    [`${SEAL} --scope 'First review' --out one.zip`, 0, 'Wrote one.zip: 2 files, 4 bytes'],
    ['verify one.zip --jwks issuer.key.jwks.json', 0, 'name     First review', 'PASS  Verified'],
    [`${SEAL} --out one.zip`, 2, 'kitseal seal: one.zip already exists. Choose another name with --out.'],
    () => {
      writeFileSync('evidence/a.txt', 'a2\n')
      rmSync('evidence/sub/ü.txt')
      writeFileSync('evidence/c.txt', 'c\n')
    },
    [`${SEAL} --out two.zip`, 0, 'Wrote two.zip: 2 files, 5 bytes'],
    [
      'diff one.zip two.zip',
      1,
      'added    data/c.txt',
      'removed  data/sub/ü.txt',
      'changed  data/a.txt  87428fc52280… → 333d36c15ed2…',
      '1 added, 1 removed, 1 changed, 0 renamed or moved, 0 unchanged',
    ],
    ['diff one.zip one.zip', 0, '0 added, 0 removed, 0 changed, 0 renamed or moved, 2 unchanged'],
    ['diff cut.zip one.zip', 2, 'kitseal diff: cannot compare cut.zip: does not verify: kit_unreadable: …'],
    ['keygen none/a.key', 2, 'kitseal keygen: cannot write none/a.key: no such file or folder'],
    () => mkdirSync('taken.key.jwks.json'),
    [
      'keygen taken.key',
      2,
      'kitseal keygen: taken.key.jwks.json already exists. Keys are never overwritten.',
    ],
    () => assert.ok(!existsSync('taken.key')),
  ])
  await follows([['keygen locked.key', 0]], { KITSEAL_KEY_PASSPHRASE: 'secret' })
  const locked = 'seal evidence --key locked.key --issuer https://x.example'
  await follows([
    [locked, 2, 'kitseal seal: cannot use the key locked.key: it is encrypted. Set KITSEAL_KEY_PASSPHRASE.'],
  ])
  await follows(
    [
      [
        locked,
        2,
        'kitseal seal: cannot use the key locked.key: KITSEAL_KEY_PASSPHRASE is not its passphrase',
      ],
    ],
    { KITSEAL_KEY_PASSPHRASE: 'wrong' },
  )
})

const seal = (folder: string, more = ''): string =>
  `seal ${folder} --key k.key --issuer https://x.example ${more}`

test('what must not be sealed is refused, and leaves no file', async () => {
  for (const name of ['evidence', 'twins', 'line', 'with-key', 'new\nline']) mkdirSync(name)
  writeFileSync('evidence/con.txt', '')
  symlinkSync('/etc/passwd', 'evidence/link')
  writeFileSync('new\nline/a.txt', 'a\n')
  writeFileSync('line/new\nline', '1\n')
  writeFileSync('with-key/a.txt', 'a\n')
  await follows([
    ['keygen k.key', 0],
    [
      seal('evidence'),
      2,
      'kitseal seal: cannot seal evidence: data/con.txt contains the Windows device name "con.txt"',
      'kitseal seal: cannot seal evidence: data/link is a symbolic link',
    ],
    [seal('line'), 2, 'kitseal seal: cannot seal line: data/new\\u000aline contains a control character'],
    [
      seal("'new\nline'"),
      2,
      'kitseal seal: the folder name, the default for --scope, contains a line break or another control character. Pass --scope.',
    ],
    [seal("'new\nline'", '--scope odd --out odd.zip'), 0, 'Wrote odd.zip: 1 file, 2 bytes'],
    [
      seal('line', "--scope 'a\nb'"),
      2,
      'kitseal seal: --scope contains a line break or another control character',
    ],
    ['keygen with-key/own.key', 0],
    () => symlinkSync('with-key/own.key', 'own.key'),
    [
      'seal with-key --key own.key --issuer https://x.example',
      2,
      'kitseal seal: cannot seal with-key: data/own.key is your private key, and everyone who gets the kit would have it. Move it out of the folder.',
    ],
    [
      'seal evidence',
      2,
      'kitseal seal: --key is required. Create a key with "kitseal keygen".',
      'kitseal seal: --issuer is required: the URL that identifies you, such as https://issuer.example',
    ],
    [
      "seal evidence --key k.key --issuer 'not a url'",
      2,
      'kitseal seal: --issuer must be an http or https URL such as https://issuer.example, not "not a url"',
    ],
    [
      'seal line --key jwks.json --issuer https://x.example',
      2,
      'kitseal seal: cannot use the key jwks.json: it is not an Ed25519 private key in PEM format',
    ],
    [
      'seal line --key line --issuer https://x.example',
      2,
      'kitseal seal: cannot use the key line: it is a folder',
    ],
    [
      'seal line --key /dev/zero --issuer https://x.example',
      2,
      'kitseal seal: cannot use the key /dev/zero: it is not a regular file',
    ],
    () => {
      writeFileSync('twins/e\u0301.txt', '1\n')
      writeFileSync('twins/\u00e9.txt', '2\n')
    },
    [
      seal('twins'),
      2,
      '…data/….txt and data/….txt are the same name on systems that ignore case or Unicode normalization',
    ],
  ])
  assert.deepEqual(
    readdirSync('.').filter((name) => name.endsWith('.part')),
    [],
  )
})

test('pinned keys are used for their issuer alone, and listed and removed', async () => {
  await follows([
    ['trust list', 0, 'No keys are pinned. Pin one with "kitseal trust add".'],
    [
      `trust add ${KID}`,
      2,
      'kitseal trust: --issuer is required: the URL of the issuer that the key belongs to',
    ],
    [`trust add ${KID} --issuer https://issuer.example`, 0, `pinned ${KID} for https://issuer.example`],
    ['verify kit.zip', 0, 'PASS  Verified', `${UNCHANGED} the key you pinned on 20….`],
    ['verify forged.zip', 1],
    () => assert.equal(statSync('.config/kitseal/trust.json').mode & 0o777, 0o600),
    ['trust add jwks.json --issuer https://other.example', 0, `pinned ${KID} for https://other.example`],
    ['trust list', 0, `${KID}  https://issuer.example  added …`, `${KID}  https://other.example  added …`],
    [`trust remove ${KID}`, 0, `removed ${KID}`],
    ['verify kit.zip', 3, 'FAIL  Files intact. Sender not confirmed yet.'],
    ['trust add jwks.json --issuer https://other.example', 0],
    [
      'verify kit.zip',
      1,
      `- signer_not_trusted: key ${KID} is pinned for https://other.example, but the receipt names the issuer https://issuer.example`,
    ],
    [`trust remove ${OTHER_KID} --yes`, 2, 'kitseal trust: unknown option --yes'],
  ])
})

test('a trust store that cannot be used stops the command', async () => {
  const add = 'trust add jwks.json --issuer https://issuer.example'
  const weak = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: `AQ${'A'.repeat(41)}`,
    kid: 'eV9frzBXPTP92MWWMpoFOh0WI_kJLvGlhcNs15APU_s',
  }
  mkdirSync('.config/kitseal', { recursive: true })
  mkdirSync('taken')
  writeFileSync('weak.json', JSON.stringify({ keys: [weak] }))
  writeFileSync('.config/kitseal/trust.json', '{')
  const damaged =
    'kitseal verify: the trust store …/.config/kitseal/trust.json is damaged. Fix it or delete it.'
  await follows([['verify kit.zip', 2, damaged], () => rmSync('.config/kitseal/trust.json')])
  await follows([[add, 2, 'kitseal trust: cannot create the folder /proc/nope for the trust store: …']], {
    KITSEAL_TRUST_STORE: '/proc/nope/deeper/trust.json',
  })
  await follows([[add, 2, 'kitseal trust: cannot read the trust store taken: it is a folder']], {
    KITSEAL_TRUST_STORE: 'taken',
  })
  await follows([[add, 0], () => assert.equal(statSync('new/folder').mode & 0o777, 0o700)], {
    KITSEAL_TRUST_STORE: 'new/folder/trust.json',
  })
  await follows([
    [
      'trust add weak.json --issuer https://issuer.example',
      2,
      `kitseal trust: weak.json: the key ${weak.kid} is a low-order point and not secure`,
    ],
    ['trust add http://[', 2, 'kitseal trust: "http://[" is not a valid URL'],
    [
      'trust add http://127.0.0.1:1/jwks.json',
      2,
      'kitseal trust: cannot fetch http://127.0.0.1:1/jwks.json: …. Check the URL, or download the file and pass its path.',
    ],
  ])
})

test('commands that change one trust store at once lose nothing, also through a link, and a lock that stays is named', async () => {
  const env = { KITSEAL_TRUST_STORE: join(process.cwd(), 'shared.json') }
  const issuers = Array.from({ length: 6 }, (_, at) => `https://${at}.example`)
  await Promise.all(issuers.map((issuer) => follows([[`trust add jwks.json --issuer ${issuer}`, 0]], env)))
  await follows([['trust list', 0, ...issuers.map((issuer) => `${KID}  ${issuer}  added …`)]], env)
  symlinkSync('shared.json', 'link.json')
  await follows([['trust add jwks.json --issuer https://7.example', 0]], { KITSEAL_TRUST_STORE: 'link.json' })
  await follows([['trust list', 0, `${KID}  https://7.example  added …`]], env)
  writeFileSync('shared.json.lock', '')
  await follows(
    [
      [
        `trust remove ${KID}`,
        2,
        'kitseal trust: another command is changing the trust store …/shared.json. If none is running, delete …/shared.json.lock.',
      ],
    ],
    env,
  )
})

const PROGRAM = fileURLToPath(new URL('../../../cli/bin/kitseal.cjs', import.meta.url))

/** In a shell, as `kitseal`. */
function shell(script: string): string {
  const env = { PATH: process.env['PATH'], HOME: process.cwd() }
  const withProgram = `kitseal() { '${process.execPath}' '${PROGRAM}' "$@"; }; exec 2>&1; ${script}`
  return spawnSync('bash', ['-c', withProgram], { env, encoding: 'utf8' }).stdout
}

test('a disk or pipe that takes no more is exit code 2, and leaves no file', () => {
  const full = 'kitseal: cannot write the result: ENOSPC: no space left on device, write\n2\n'
  assert.equal(shell('kitseal verify kit.zip --jwks jwks.json > /dev/full; echo $?'), full)
  const limited = `trap '' XFSZ; ulimit -f 0; kitseal keygen full.key; kitseal prove kit.zip report.txt --out full.json`
  assert.equal(
    shell(limited),
    'kitseal keygen: cannot write full.key: the file would be too large\n' +
      'kitseal prove: cannot write full.json: the file would be too large\n',
  )
  assert.deepEqual(
    readdirSync('.').filter((name) => name.startsWith('full')),
    [],
  )
})
