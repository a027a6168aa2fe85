// `node spec/make-sample.ts`: writes sample/, a kit to try a verifier on, and the example in kit-format.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { crc32, webHost } from '../kit/src/web-host.ts'
import { canonicalJson } from '../kit/src/encoding/canonical-json.ts'
import { hex, utf8 } from '../kit/src/encoding/bytes.ts'
import { layOutZip } from '../kit/src/encoding/zip-layout.ts'
import { BOUNDARY } from '../kit/src/receipt.ts'
import { sha256 } from '../kit/src/crypto/sha256.ts'
import { startPage } from '../kit/node/verifier-page.ts'
import { sealKit } from '../kit/src/seal.ts'
import { jwk, seconds, testKey } from '../test/forge/keys.ts'
import { FORMAT_PAGE, pageWithSample } from './sample-in-words.ts'

export const SAMPLE_FOLDER = path.join(import.meta.dirname, 'sample')
export const PAGE_PATH = 'START-HERE.html'

const KIT_ID = 'kit_Sample0Sample0Sample0Sa'
const JOB_ID = 'job_Sample0Sample0Sample0Sa'
const ISSUER = 'https://issuer.example'
const ISSUED_AT = '2026-05-05T09:30:00.000Z'
const signer = testKey('sample issuer')
const jwks = { keys: [jwk(signer.x, { iat: seconds('2026-01-01T00:00:00Z') })] }

/** What a verifier must report for the sample with the key set beside it. It may report more. */
const EXPECTED = {
  status: 'PASS',
  verdict: 'verified',
  manifest_hash_valid: true,
  artifact_hashes_valid: true,
  receipt_canonical_hash_valid: true,
  ed25519_signature_valid: true,
  kid_matched: true,
  errors: [],
  boundary: BOUNDARY,
}

/** The sample's files by name. Takes the page, so that an older sample can be rebuilt from its own page. */
export async function sampleFiles(page: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const supplied = new Map<string, Uint8Array>([
    ['binder.pdf', pdf(['Access review, first quarter', 'Two files of evidence.', BOUNDARY])],
    ['data/access-review.csv', utf8('account,reviewed_by,decision\nalice,carol,keep\nbob,carol,remove\n')],
    ['data/policy/zugriff-für-alle.md', utf8('# Zugriff\n\nWer etwas lesen darf, steht in der Liste.\n')],
    ['reports/intake.json', utf8(canonicalJson({ blockers: [], files_supplied: 2, outcome: 'PASS' }))],
    [PAGE_PATH, page],
  ])
  const files = [...supplied].map(([name, bytes]) => ({
    path: name,
    sha256: hex(sha256(bytes)),
    sizeBytes: bytes.length,
    crc32: crc32(bytes),
  }))
  const kit = await sealKit(
    {
      kitId: KIT_ID,
      jobId: JOB_ID,
      issuedAt: ISSUED_AT,
      issuer: ISSUER,
      scope: 'Access review, first quarter',
      files,
      jwks,
      signer,
    },
    webHost,
  )
  const contents = new Map(supplied)
  for (const { path: name, bytes } of kit.generated) contents.set(name, bytes)
  const layout = layOutZip(KIT_ID, kit.files, ISSUED_AT)
  const zip = Array.from(layout.pieces(0, layout.sizeBytes), (piece) =>
    'bytes' in piece ? piece.bytes : contents.get(piece.path)!.subarray(piece.start, piece.end),
  )
  return new Map([
    ['kit.zip', Buffer.concat(zip)],
    ['jwks.json', utf8(canonicalJson({ ...jwks, revoked_keys: [] }))],
    ['expected.json', utf8(`${JSON.stringify(EXPECTED, null, 2)}\n`)],
  ])
}

/** A PDF page of plain lines, small enough to read in an editor. */
function pdf(lines: readonly string[]): Uint8Array {
  const shown = lines.map((line) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj T*`).join('\n')
  const text = `BT /F1 12 Tf 14 TL 50 780 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return utf8(
    `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}

if (import.meta.main) {
  mkdirSync(SAMPLE_FOLDER, { recursive: true })
  for (const [name, bytes] of await sampleFiles(startPage(ISSUER)))
    writeFileSync(path.join(SAMPLE_FOLDER, name), bytes)
  writeFileSync(FORMAT_PAGE, await pageWithSample(SAMPLE_FOLDER))
  console.log(`Wrote spec/sample, signed by ${signer.kid}`)
}
