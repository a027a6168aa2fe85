import { createHash, generateKeyPairSync, randomFillSync } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { layOutZip, type MeasuredFile, publicJwk, sealKit } from '@kitseal/kit/internal'
import { nodeHost, nodeSigner } from '@kitseal/kit/internal/node'

const CHUNK_BYTES = 1024 * 1024

/** A kit of random content, as folder and zip, with the key set of its issuer. */
export async function makeKitOnDisk(
  place: string,
  count: number,
  bytesEach: number,
): Promise<{
  zip: string
  folder: string
  jwks: string
  files: readonly string[]
  names: readonly string[]
}> {
  const folder = join(place, 'kit')
  mkdirSync(join(folder, 'data'), { recursive: true })
  const evidence: MeasuredFile[] = []
  for (let index = 0; index < count; index++) {
    evidence.push(writeRandom(folder, `data/evidence-${index}.bin`, Math.floor(bytesEach)))
  }
  const signer = nodeSigner(generateKeyPairSync('ed25519').privateKey)
  const key = publicJwk(signer.x)
  const sealed = await sealKit(
    {
      kitId: 'kit_benchbenchbenchbench00',
      jobId: 'job_benchbenchbenchbench00',
      issuedAt: '2026-01-01T00:00:00.000Z',
      issuer: 'https://issuer.example',
      scope: 'bench',
      files: evidence,
      jwks: { keys: [key] },
      signer,
    },
    nodeHost,
  )
  for (const { path, bytes } of sealed.generated) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  const zip = join(place, 'kit.zip')
  writeZip(zip, folder, layOutZip(sealed.manifest.kit_id, sealed.files, sealed.manifest.issued_at))
  const jwks = join(place, 'jwks.json')
  writeFileSync(jwks, JSON.stringify({ keys: [key] }))
  const names = evidence.map(({ path }) => path)
  return { zip, folder, jwks, names, files: names.map((name) => join(folder, name)) }
}

function writeRandom(folder: string, path: string, sizeBytes: number): MeasuredFile {
  const file = openSync(join(folder, path), 'w')
  const hash = createHash('sha256')
  const chunk = randomFillSync(Buffer.alloc(CHUNK_BYTES))
  let crc = 0
  for (let at = 0; at < sizeBytes; at += CHUNK_BYTES) {
    chunk.writeUInt32LE(at % 2 ** 32, 0)
    const part = chunk.subarray(0, Math.min(CHUNK_BYTES, sizeBytes - at))
    writeSync(file, part)
    hash.update(part)
    crc = crc32(part, crc)
  }
  closeSync(file)
  return { path, sha256: hash.digest('hex'), sizeBytes, crc32: crc }
}

function writeZip(zip: string, folder: string, layout: ReturnType<typeof layOutZip>): void {
  const out = openSync(zip, 'w')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (const piece of layout.pieces(0, layout.sizeBytes)) {
    if ('bytes' in piece) {
      writeSync(out, piece.bytes)
      continue
    }
    const file = openSync(join(folder, piece.path), 'r')
    for (let at = piece.start; at < piece.end;) {
      const got = readSync(file, chunk, 0, Math.min(CHUNK_BYTES, piece.end - at), at)
      writeSync(out, chunk, 0, got)
      at += got
    }
    closeSync(file)
  }
  closeSync(out)
}
