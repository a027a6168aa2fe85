import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { otherNode } from '../cli/test/other-nodes.ts'
import { buildRelease, releaseSeconds, releaseSigner } from '../scripts/release.ts'
import { needs } from './kit/needs.ts'

const root = path.dirname(import.meta.dirname)
const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-release-'))
const release = path.join(folder, 'first')
const own = `kitseal-${process.platform}-${process.arch}`
const key = path.join(folder, 'release-key.pem')
const signed = { KITSEAL_RELEASE_KEY: key, KITSEAL_RELEASE_ISSUER: 'https://issuer.example' }
let sums = ''
before(async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  sums = await buildRelease(release, false, releaseSigner(signed))
})
after(() => rmSync(folder, { recursive: true }))

test('the source archive of a release builds the same release in another folder, byte for byte', () => {
  const [source, again] = [path.join(folder, 'its source'), path.join(folder, 'again')]
  mkdirSync(source)
  const unpack = `tar -xzf "$0"/kitseal-*-image.tar.gz && git init --quiet && git add --all --force && cp -a "$1"/node_modules .`
  execFileSync('sh', ['-ec', unpack, release, root], { cwd: source })
  const env = { ...process.env, ...signed, SOURCE_DATE_EPOCH: String(releaseSeconds(process.env)) }
  execFileSync('npm', ['run', 'release', '--', again], { cwd: source, env, stdio: 'pipe' })
  assert.deepEqual(readFileSync(path.join(again, 'SHA256SUMS'), 'utf8').split('\n'), sums.split('\n'))
  assert.deepEqual(readdirSync(again), readdirSync(release))
  for (const name of readdirSync(release))
    assert.ok(readFileSync(path.join(again, name)).equals(readFileSync(path.join(release, name))), name)
})

test(
  'a release has the program, packages, image and signatures, and its sums are right',
  needs('unzip'),
  () => {
    const names = new Set(
      readdirSync(release).map((name) => name.replace(/\d+\.\d+\.\d+(-rc\.\d+|rc\d+)?/, 'VERSION')),
    )
    for (const name of [
      own,
      'kitseal-VERSION.tgz',
      'kitseal-VERSION-py3-none-any.whl',
      'kitseal-VERSION-image.tar.gz',
      'kitseal-VERSION-chart.tgz',
      'kitseal-kit-VERSION.tgz',
      'kitseal-client-VERSION.tgz',
    ])
      assert.ok(names.has(name), name)
    for (const name of [
      'sbom.cdx.json',
      'kitseal-verify.py',
      'release-kit.zip',
      'SHA256SUMS.sig',
      'INSTALL.md',
    ])
      assert.ok(names.has(name), name)
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release })
    const sealed = "unzip -p release-kit.zip '*/data/SHA256SUMS'"
    assert.equal(execFileSync('sh', ['-c', sealed], { cwd: release, encoding: 'utf8' }), sums)
  },
)

test('ssh-keygen verifies the sums, and not other sums', needs('ssh-keygen'), () => {
  const verify = [
    '-Y',
    'verify',
    '-f',
    'allowed_signers',
    '-I',
    'kitseal',
    '-n',
    'file',
    '-s',
    'SHA256SUMS.sig',
  ]
  const verified = (input: string) => spawnSync('ssh-keygen', verify, { cwd: release, input }).status === 0
  assert.deepEqual([verified(sums), verified(`${sums} `)], [true, false])
})

test('the script of CI jobs installs the executable, on a machine without Node.js', () => {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, KITSEAL_RELEASE: release }
  const installed = execFileSync('sh', [path.join(release, 'kitseal-ci.sh')], { env, encoding: 'utf8' })
  assert.match(installed, /^kitseal \d+\.\d+\.\d+(-rc\.\d+)?$/m)
})

/** From nothing to a verified kit. `$kitseal` is the command. */
const FIRST_KIT = `
$kitseal verify "$RELEASE/release-kit.zip" --jwks "$RELEASE/release-keys.json" | grep '^PASS'
$kitseal serve --port 0 >serve.log 2>&1 & serve=$!
trap 'kill $serve; wait $serve' EXIT
until grep -q 'Ctrl-C stops it' serve.log; do kill -0 $serve; sleep 0.1; done
url=$(sed -n 's/^ *address *//p' serve.log)
grep -o 'ks_[[:alnum:]_-]*' data/first-start.txt | head -1 >key.txt
$kitseal login "$url" --yes --key-file key.txt
mkdir my-evidence && echo a,b >my-evidence/users.csv
$kitseal submit my-evidence --out kits
$kitseal verify kits/*.zip
$kitseal admin status
$kitseal demo --json
`

/** Runs a script where no network is to be had, with only these programs and the tools of the system that are no Node.js. */
function offline(name: string, programs: Readonly<Record<string, string>>, script: string): string {
  const home = path.join(folder, name)
  mkdirSync(path.join(home, 'bin'), { recursive: true })
  for (const tool of TOOLS) symlinkSync(`/usr/bin/${tool}`, path.join(home, 'bin', tool))
  for (const [program, file] of Object.entries(programs)) symlinkSync(file, path.join(home, 'bin', program))
  const env = {
    PATH: path.join(home, 'bin'),
    HOME: home,
    RELEASE: release,
    KITSEAL_LOG_MARK: path.join(home, 'mark'),
  }
  const alone = ['-n', '/bin/sh', '-euc', `/usr/sbin/ip link set lo up || /sbin/ip link set lo up\n${script}`]
  const ran = spawnSync('/usr/bin/unshare', process.getuid?.() === 0 ? alone : ['-r', ...alone], {
    cwd: home,
    env,
    encoding: 'utf8',
  })
  assert.equal(ran.status, 0, ran.stdout + ran.stderr)
  return ran.stdout
}
const TOOLS =
  'sh env sed grep head tail tar gzip mkdir mktemp mv rm sleep cp chmod dirname readlink uname'.split(' ')

test('without a network and without Node.js, the executable runs the service and verifies a kit of it', () => {
  const shown = offline(
    'room',
    {},
    `cp "$RELEASE/${own}" kitseal && chmod +x kitseal && kitseal=./kitseal\n${FIRST_KIT}`,
  )
  assert.equal(shown.match(/^PASS {2}Verified$/gm)?.length, 2, shown)
  assert.match(shown, /^ok {3}database$/m)
  assert.match(shown, /"detected": 6/)
})

test('without a network, with Node.js 20 alone, npm installs a program that runs the service on Node.js 24', () => {
  const npm = path.join(path.dirname(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()), 'npm')
  const programs = { node: otherNode(20), npm, npx: npm.replace(/npm$/, 'npx') }
  const shown = offline(
    'laptop',
    programs,
    `node --version
     (cd "$RELEASE" && npx --yes ./kitseal-[0-9]*[0-9].tgz --version)
     npm install --no-audit --no-fund --offline --prefix here "$RELEASE"/kitseal-[0-9]*[0-9].tgz
     kitseal=here/node_modules/.bin/kitseal\n${FIRST_KIT}`,
  )
  assert.match(shown, /^v20\.\S+\nkitseal \d/)
  assert.equal(shown.match(/^PASS {2}Verified$/gm)?.length, 2, shown)
})

test('without its Node.js, the program refuses Node.js 20 in one sentence', () => {
  const here = path.join(folder, 'laptop/here/node_modules/kitseal')
  rmSync(path.join(here, 'node_modules', `node-${process.platform}-${process.arch}`), { recursive: true })
  const node = otherNode(20)
  const run = (...args: readonly string[]) =>
    spawnSync(node, [path.join(here, 'cli/bin/kitseal.cjs'), ...args], { cwd: release, encoding: 'utf8' })
  for (const refused of [run('verify', 'release-kit.zip'), run('serve')]) {
    assert.deepEqual([refused.status, refused.stdout], [2, ''])
    assert.match(refused.stderr, /^kitseal needs Node 24 or newer\. This is Node 20\..*\n$/)
  }
})
