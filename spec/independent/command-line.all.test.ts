import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { proofBytes, proveFile } from '../../kit/src/internal.ts'
import { nodeHost } from '../../kit/node/internal.ts'
import { makeKit } from '../../kit/test/make-kit.ts'
import { issuedZip, otherZip, storedEntry } from '../../test/forge/archive.ts'
import { VECTORS_FOLDER } from '../stored-vectors.ts'
import { draftKit, EVIDENCE, ISSUER, KIT_ID, LETTER } from '../../test/forge/draft-kit.ts'
import { forger, issuer, ISSUER_KEYS } from '../../test/forge/keys.ts'
import { makeLogProof } from '../../test/forge/log-proof.ts'
import { POLICIES } from '../../test/forge/policies.ts'
import { PROGRAM, python, type PythonReport, skipWithoutPython as skip, verify } from './python.ts'
import { needs } from '../../test/kit/needs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-python-'))
after(() => rmSync(folder, { recursive: true }))

const draft = draftKit()
const kitFile = save('kit.zip', issuedZip(draft.files))
const published = { ...ISSUER_KEYS, revoked_keys: [] }
const keys = save('issuer.jwks.json', json(published))

test('--policy requires a log proof that meets it', { skip }, () => {
  const logged = save('logged.zip', issuedZip(draftKit({ logProof: makeLogProof() }).files))
  const two = save('two.policy', Buffer.from(POLICIES['two-of-three']))
  const all = save('all.policy', Buffer.from(POLICIES['all-of-three']))
  for (const [kit, policy, code, text] of [
    [logged, two, 0, '2 of 3 witnesses cosigned\n'],
    [logged, all, 3, 'log_quorum_not_met: 2 of 3 witnesses cosigned'],
    [kitFile, two, 3, 'log_proof_missing: '],
  ] as const) {
    const { status, stdout } = verify(kit, '--jwks', keys, '--policy', policy)
    assert.equal(status, code, stdout)
    assert.ok(stdout.includes(text), stdout)
    assert.equal(stdout.includes('does not meet your policy'), code === 3)
  }
  for (const [args, text] of [
    [[logged, '--policy', keys], 'is not a policy'],
    [[logged, '--policy', path.join(folder, 'missing')], 'cannot be read'],
    [[kitFile, 'proof.json', '--policy', two], '--policy is for kits'],
    [[save('a-receipt.json', draft.files.get('receipt.json')!), '--policy', two], 'is a receipt'],
  ] as const) {
    const { status, stderr } = verify(...args)
    assert.equal(status, 2)
    assert.ok(stderr.includes(text), stderr)
  }
})

const vectorFile = (name: string): string => path.join(VECTORS_FOLDER, name)

test('time-stamps are not checked here, and --max-delay limits how old a kit may be', { skip }, () => {
  const stamped = vectorFile('valid/a-kit-with-a-time-stamp-passes.zip')
  const two = save('two.policy', Buffer.from(POLICIES['two-of-three']))
  for (const [args, code, text] of [
    [[stamped], 0, 'openssl ts -verify -data checkpoint.txt -in proofs/time.tsr'],
    [[stamped, '--policy', two], 0, 'existed before 2026-05-05 12:01:01 UTC (seen by 2 of 3 witnesses)'],
    [[stamped, '--policy', two, '--max-delay', '1s'], 3, 'time_out_of_bounds: '],
  ] as const) {
    const { status, stdout, stderr } = verify(...args, '--jwks', keys)
    assert.equal(status, code, stdout + stderr)
    assert.ok(stdout.includes(text), stdout)
  }
  for (const [args, text] of [
    [[stamped, '--tsa-roots', keys], 'unrecognized arguments: --tsa-roots'],
    [[stamped, '--policy', two, '--max-delay', 'a day'], 'is not a duration'],
    [[stamped, '--max-delay', '1d'], '--max-delay needs --policy'],
  ] as const) {
    const { status, stderr } = verify(...args)
    assert.equal(status, 2)
    assert.ok(stderr.includes(text), stderr)
  }
})

test('the verdict decides the exit code and the heading', { skip }, () => {
  const revoked = save(
    'revoked.json',
    json({ keys: [], revoked_keys: [{ kid: issuer.kid, revoked_at: '2026-06-01T08:00:00.000Z' }] }),
  )
  const copy = save('copy.json', draft.files.get('jwks.json')!)
  const altered = save('altered.zip', otherZip(new Map(draft.files).set(LETTER, Buffer.from('changed'))))
  const cut = save('cut.zip', issuedZip(draft.files).subarray(0, 500))
  const sample = path.join(import.meta.dirname, '../sample/kit.zip')
  const cases = [
    [[sample, '--kid', '-KRiE--JvGPqAgYNusgQ5jY4xPOOrHsvqDJz3T7LkjI'], 0, 'PASS  Verified'],
    [[kitFile, '--jwks', keys], 0, 'PASS  Verified'],
    [[kitFile, '--kid', issuer.kid], 0, 'PASS  Verified'],
    [[kitFile], 3, 'FAIL  Files intact. Sender not confirmed yet.'],
    [[kitFile, '--use-kit-keys'], 3, 'FAIL  Files intact. Sender not confirmed yet.'],
    [[kitFile, '--jwks', copy], 3, 'FAIL  Files intact. Sender not confirmed yet.'],
    [[kitFile, '--kid', forger.kid], 1, 'FAIL  Not signed by the issuer it names'],
    [[kitFile, '--jwks', revoked], 1, 'FAIL  Signing key revoked on 2026-06-01'],
    [[altered, '--jwks', keys], 1, 'FAIL  Altered since it was issued'],
    [[cut, '--jwks', keys], 2, 'FAIL  Not a readable kit'],
    [[folder, '--jwks', keys], 2, 'FAIL  Not a readable kit'],
  ] as const
  for (const [args, code, heading] of cases) {
    const { status, stdout, stderr } = verify(...args)
    assert.equal(status, code, `${heading}: ${stdout}${stderr}`)
    assert.ok(stdout.includes(`\n${heading}\n`), stdout)
    assert.equal(stderr, '')
  }
})

test('the text names the kit, its issuer and every failure', { skip }, () => {
  const { stdout } = verify(kitFile, '--jwks', keys)
  for (const text of [KIT_ID, ISSUER, issuer.kid, 'the key you gave']) assert.ok(stdout.includes(text))
  const files = new Map(draft.files).set('data/new', Buffer.from('new'))
  for (const name of Object.keys(EVIDENCE)) files.delete(name)
  const failed = verify(save('several.zip', otherZip(files)), '--jwks', keys).stdout
  assert.match(failed, /claimed, not proved/)
  for (const name of Object.keys(EVIDENCE)) assert.ok(failed.includes(`artifact_missing: ${name} is missing`))
  assert.ok(failed.includes('artifact_unlisted: data/new is not listed'))
})

test('a folder is verified like the archive', { skip }, () => {
  const unpacked = path.join(folder, 'unpacked')
  unpack(draft.files, unpacked)
  assert.equal(verify(unpacked, '--jwks', keys).status, 0)
  const linked = path.join(folder, 'linked')
  cpSync(unpacked, linked, { recursive: true })
  rmSync(path.join(linked, LETTER))
  symlinkSync(path.join(unpacked, LETTER), path.join(linked, LETTER))
  const { status, stdout } = verify(linked, '--jwks', keys)
  assert.equal(status, 1)
  assert.ok(stdout.includes(`kit_unreadable: ${LETTER} is a symbolic link`), stdout)
})

test('a file is verified with its proof', { skip }, () => {
  const proof = proveFile(draft.manifest, draft.receipt, ISSUER_KEYS, LETTER, nodeHost)
  const proofFile = save('letter.proof.json', proofBytes(proof!))
  const letter = save('letter.txt', draft.files.get(LETTER)!)
  assert.equal(verify(letter, proofFile, '--jwks', keys).status, 0)
  assert.equal(verify(letter, proofFile).status, 3)
  const { status, stdout } = verify(kitFile, proofFile, '--jwks', keys, '--json')
  assert.equal(status, 1)
  assert.equal((JSON.parse(stdout) as PythonReport).verdict, 'altered')
})

test('a receipt is verified with the kit it was issued for', { skip }, () => {
  const receipt = save('receipt.json', draft.files.get('receipt.json')!)
  assert.equal(verify(receipt, '--kit', kitFile, '--jwks', keys).status, 0)
  assert.match(verify(receipt, '--jwks', keys).stdout, /artifact_missing: there are no files for kit_/)
  const other = draftKit({ evidence: { 'data/other.txt': 'other' } })
  const otherKit = save('other.zip', issuedZip(other.files))
  assert.match(verify(receipt, '--kit', otherKit, '--jwks', keys).stdout, /manifest_hash_mismatch/)
})

test('unreadable input gives one message, no result and exit code 2', { skip }, () => {
  const twice = save('twice.json', Buffer.from('{"keys": [], "keys": []}'))
  const missing = path.join(folder, 'none')
  const proofless = save('any.txt', Buffer.from('any'))
  const refusals = [
    [[missing], `${missing} cannot be read: No such file or directory`],
    [['/dev/null'], '/dev/null is not a regular file: save the kit to a file first'],
    [[kitFile, '--jwks', missing], `${missing} cannot be read: No such file or directory`],
    [[kitFile, '--jwks', folder], `${folder} is a folder, not a key set`],
    [[kitFile, '--jwks', twice], `${twice} is not a key set: not strict JSON: duplicate member name`],
    [[folder, keys], `${keys} is a key set, not a proof. Give it with --jwks.`],
    [[proofless, missing], `${missing} cannot be read: No such file or directory`],
    [[keys], `${keys} is a key set. Give it with --jwks, after the kit.`],
    [[kitFile, '--kit', kitFile], `${kitFile} is not a receipt. --kit is only for checking a receipt.`],
    [
      [kitFile, '--jwks', "https://issuer.example/'.json"],
      '--jwks takes a file: this program never uses the network. Download the key set first:\n' +
        `  curl -fsS -o issuer.jwks.json 'https://issuer.example/'"'"'.json'`,
    ],
  ] as const
  for (const [args, message] of refusals) {
    const { status, stdout, stderr } = verify(...args)
    const expected = { status: 2, stdout: '', stderr: `kitseal-verify.py: ${message}\n` }
    assert.deepEqual({ status, stdout, stderr }, expected)
  }
  for (const args of [
    [],
    [kitFile, '--kid', 'short'],
    [kitFile, '--use-kit-keys', '--jwks', keys],
    [kitFile, '--unknown'],
  ]) {
    const { status, stderr } = verify(...args)
    assert.equal(status, 2)
    assert.match(stderr, /^usage: /)
  }
  const full = spawnSync('sh', ['-c', '"$@" > /dev/full', 'sh', 'python3', '-B', PROGRAM, kitFile])
  assert.equal(full.status, 2, 'a result that cannot be printed is an error')
  assert.match(full.stderr.toString(), /^kitseal-verify.py: .*No space left on device\n$/)
})

test('names in a kit cannot control the terminal', { skip }, () => {
  const loud = otherZip(draft.files, ({ entries }) =>
    entries.push(storedEntry(`${KIT_ID}/ü\u001b[2J\u202e`, new Uint8Array(0))),
  )
  const file = save('loud.zip', loud)
  const { stdout } = verify(file)
  assert.ok(stdout.includes('artifact_unlisted: ü\\x1b[2J\\u202e is not listed in the manifest\n'), stdout)
  assert.match(verify(file, '--json').stdout, /^[\n\x20-\x7e]*$/)
  const ascii = spawnSync('python3', ['-B', PROGRAM, file], {
    env: { ...process.env, PYTHONIOENCODING: 'ascii' },
  })
  assert.equal(ascii.status, 1, 'a terminal without Unicode')
  assert.ok(ascii.stdout.includes('\\xfc\\x1b[2J'))
})

const skipMemory = skip || (existsSync('/proc/self/status') ? false : 'memory is measured on Linux only')

test(
  'files are read in pieces: 96 MiB verify with less than 64 MiB of memory',
  { skip: skipMemory },
  async () => {
    const { zip, contents, jwks } = await makeKit({ 'large.bin': Buffer.alloc(96 * 2 ** 20, 'large') })
    const unpacked = path.join(folder, 'large')
    unpack(contents, unpacked)
    const packed = path.join(folder, 'packed.zip')
    const stored = save('large.zip', zip)
    assert.equal(python('-c', REPACK, stored, packed).status, 0)
    const trusted = save('large.jwks.json', json({ ...jwks, revoked_keys: [] }))
    for (const kit of [unpacked, stored, packed]) {
      const { status, stderr } = python('-c', MEASURE, PROGRAM, kit, '--jwks', trusted)
      assert.equal(status, 0, stderr)
      assert.ok(Number(stderr) < 64 * 1024, `${kit}: ${stderr} KiB`)
    }
  },
)

const REPACK = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
    for name in old.namelist():
        new.writestr(name, old.read(name))
`

const MEASURE = `
import importlib.util, re, sys
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
code = program.main(sys.argv[2:])
sys.stderr.write(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read()).group(1))
sys.exit(code)
`

test('no network system call is made', { skip: skip || needs('strace').skip }, () => {
  const log = path.join(folder, 'strace.log')
  // "python3" may be a shell script that selects a version; a shell looks up users through a local socket.
  const interpreter = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).trim()
  const traced = [
    '-f',
    '-qq',
    '-e',
    'trace=%network',
    '-o',
    log,
    interpreter,
    '-B',
    PROGRAM,
    kitFile,
    '--jwks',
    keys,
  ]
  assert.equal(spawnSync('strace', traced, { stdio: 'ignore' }).status, 0)
  const calls = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/\+\+\+|---|AF_UNIX/.test(line))
  assert.deepEqual(calls, [])
})

test('modules beside the program are not imported', { skip }, () => {
  const downloads = path.join(folder, 'downloads')
  mkdirSync(downloads)
  copyFileSync(PROGRAM, path.join(downloads, 'kitseal-verify.py'))
  for (const name of ['json', 'hashlib', 'argparse', 'zlib', 'cryptography'])
    writeFileSync(path.join(downloads, `${name}.py`), 'raise SystemExit("imported")\n')
  const args = ['-B', 'kitseal-verify.py', kitFile, '--jwks', keys]
  const { status, stderr } = spawnSync('python3', args, { cwd: downloads, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

test('the program has Python 3.8 syntax and imports no network module', { skip }, () => {
  const script = `
import ast, json, sys
source = open(sys.argv[1], encoding="utf-8").read()
tree = ast.parse(source, feature_version=(3, 8))
modules = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
modules |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
print(json.dumps({"modules": sorted(modules), "newer": sorted(names & {"removeprefix", "removesuffix", "bit_count", "cache"})}))
`
  const { status, stdout, stderr } = python('-c', script, PROGRAM)
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), {
    modules: [
      'argparse',
      'base64',
      'bisect',
      'copy',
      'cryptography.exceptions',
      'cryptography.hazmat.primitives.asymmetric.ed25519',
      'datetime',
      'hashlib',
      'json',
      'os',
      're',
      'shlex',
      'stat',
      'struct',
      'sys',
      'unicodedata',
      'zlib',
    ],
    newer: [],
  })
})

test('the program is in the container image', () => {
  const deploy = path.join(import.meta.dirname, '../../deploy')
  assert.match(
    readFileSync(path.join(deploy, 'Dockerfile'), 'utf8'),
    /^COPY \. \.$[^]*^COPY --from=build \/app \/app$/m,
  )
  const ignored = readFileSync(path.join(deploy, 'Dockerfile.dockerignore'), 'utf8')
  assert.doesNotMatch(ignored, /spec|\.py|^\*$/m)
})

function unpack(files: ReadonlyMap<string, Uint8Array>, into: string): void {
  for (const [name, bytes] of files) {
    mkdirSync(path.dirname(path.join(into, name)), { recursive: true })
    writeFileSync(path.join(into, name), bytes)
  }
}

function save(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}
