// `KITSEAL_LARGE_GIB=50 npm test -- huge-kit` seals and verifies a kit of 50 GiB. Its evidence is a hole, so it takes no space.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { layOutZip } from '@kitseal/kit'
import { measureFiles, nodeSigner, sealFiles } from '@kitseal/kit/internal/node'

const GIB = 1024 ** 3
const gib = process.env['KITSEAL_LARGE_GIB']
/** Above this size, the kit is verified once, and not by other tools. */
const PATIENCE_GIB = 5
const TIME = '/usr/bin/time'

const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kitseal-huge-'))
after(() => rmSync(folder, { recursive: true }))

const OTHER_TOOLS: readonly (readonly [string, ...string[]])[] = [
  ['unzip', '-tqq'],
  ['7z', 't', '-bso0', '-bsp0'],
  ['python3', '-c', 'import sys,zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)'],
]

/** Tools that are not installed are skipped. */
function otherToolsAccept(zip: string): readonly string[] {
  const accepting: string[] = []
  for (const [program, ...args] of OTHER_TOOLS) {
    const { error, status, stderr } = spawnSync(program, [...args, zip], { encoding: 'utf8' })
    if (error !== undefined) continue
    assert.equal(status, 0, `${program}: ${stderr}`)
    accepting.push(program)
  }
  return accepting
}

test('other tools read a kit of more than 65,535 files', (t) => {
  const files = Array.from({ length: 66_000 }, (_, index) => ({
    path: `data/${index}`,
    sizeBytes: 0,
    crc32: 0,
  }))
  const layout = layOutZip('kit_many', files, '2026-01-01T00:00:00.000Z')
  const zip = join(folder, 'many.zip')
  writeFileSync(
    zip,
    Buffer.concat(
      [...layout.pieces(0, layout.sizeBytes)].map((piece) =>
        'bytes' in piece ? piece.bytes : Buffer.alloc(0),
      ),
    ),
  )
  t.diagnostic(`read by ${otherToolsAccept(zip).join(', ')}`)
  const cut = join(folder, 'cut.zip')
  writeFileSync(cut, '')
  for (const [program, ...args] of OTHER_TOOLS)
    assert.notEqual(spawnSync(program, [...args, cut]).status, 0, `${program} notices damage`)
})

const onDemand = { skip: gib === undefined && 'set KITSEAL_LARGE_GIB' }
test(
  'a kit beyond 4 GiB verifies, one changed byte is found, and other tools read it',
  onDemand,
  async (t) => {
    const sizeBytes = Math.round(Number(gib) * GIB)
    const evidence = join(folder, 'large.bin')
    sparse(evidence, [], sizeBytes)
    const started = performance.now()
    const measured = await measureFiles(
      [{ path: 'data/large.bin', diskPath: evidence, sizeBytes }],
      ['sha256', 'crc32'],
    )
    assert.ok(measured.ok)
    const lap = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
    t.diagnostic(`hashed ${sizeBytes} bytes: ${lap()}`)
    const signer = nodeSigner(generateKeyPairSync('ed25519').privateKey)
    const { sealed, jwks, contents } = await sealFiles(measured.files, {
      signer,
      issuer: 'https://issuer.example',
      scope: 'huge',
    })
    const layout = layOutZip(sealed.manifest.kit_id, sealed.files, sealed.manifest.issued_at)
    const zip = join(folder, 'kit.zip')
    const writes: [number, Uint8Array][] = []
    let at = 0
    for (const piece of layout.pieces(0, layout.sizeBytes)) {
      const content = 'bytes' in piece ? piece.bytes : contents.get(piece.path)
      if (content instanceof Uint8Array) writes.push([at, content])
      at += 'bytes' in piece ? piece.bytes.length : piece.end - piece.start
    }
    sparse(zip, writes, layout.sizeBytes)
    assert.ok(statSync(zip).blocks * 512 < 10_000_000, 'it has a hole')
    const keys = join(folder, 'jwks.json')
    writeFileSync(keys, JSON.stringify(jwks))
    const command = [process.execPath, kitseal, 'verify', zip, '--jwks', keys]
    const timer = existsSync(TIME) ? [TIME, '-f', '%e s, %U s of CPU, %M KiB of memory'] : []
    const verify = () => {
      const [program = '', ...args] = [...timer, ...command]
      return spawnSync(program, args, { encoding: 'utf8' })
    }
    const good = verify()
    assert.equal(good.status, 0, good.stdout + good.stderr)
    t.diagnostic(`verified: ${good.stderr.trim()}`)
    if (sizeBytes > PATIENCE_GIB * GIB) return
    t.diagnostic(`read by ${otherToolsAccept(zip).join(', ')}`)
    sparse(zip, [[Math.round(sizeBytes * 0.9), Buffer.from('x')]], layout.sizeBytes)
    const bad = verify()
    assert.equal(bad.status, 1, bad.stdout)
    assert.match(bad.stdout, /data\/large\.bin/)
  },
)

/** Writes at offsets; the rest stays a hole. */
function sparse(path: string, writes: readonly (readonly [number, Uint8Array])[], sizeBytes: number): void {
  closeSync(openSync(path, 'a'))
  const file = openSync(path, 'r+')
  for (const [offset, bytes] of writes) writeSync(file, bytes, 0, bytes.length, offset)
  ftruncateSync(file, sizeBytes)
  closeSync(file)
}
