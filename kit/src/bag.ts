import { KEY_SET_LABEL } from './envelope.ts'
import { RECEIPT_VERSION } from './contract.ts'
import { utf8 } from './encoding/utf8.ts'
import { comparePaths } from './paths.ts'

/** Lists every artifact except itself, for `sha256sum -c`. coreutils cannot read the escapes in BagIt's own manifest. */
export const SUMS_PATH = 'SHA256SUMS'

const PAYLOAD_PREFIX = 'data/'

interface Listed {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
}

interface BagInput {
  readonly kitId: string
  readonly jobId: string
  readonly issuedAt: string
  readonly issuer: string
}

/** The files that make the kit's folder a BagIt 1.0 bag (RFC 8493). */
export function bagFiles(
  input: BagInput,
  files: readonly Listed[],
  keySetSha256: string,
): readonly { readonly path: string; readonly bytes: Uint8Array }[] {
  const payload = files
    .filter(({ path }) => path.startsWith(PAYLOAD_PREFIX))
    .toSorted((a, b) => comparePaths(a.path, b.path))
  const payloadBytes = payload.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const info = [
    `Source-Organization: ${oneLine(input.issuer)}`,
    `Bagging-Date: ${input.issuedAt.slice(0, 10)}`,
    `External-Identifier: ${input.kitId}`,
    `Internal-Sender-Identifier: ${input.jobId}`,
    `Payload-Oxum: ${payloadBytes}.${payload.length}`,
    `Bag-Software-Agent: kitseal ${RECEIPT_VERSION}`,
    `${KEY_SET_LABEL}: ${keySetSha256}`,
  ]
  return [
    { path: 'bagit.txt', bytes: lines(['BagIt-Version: 1.0', 'Tag-File-Character-Encoding: UTF-8']) },
    { path: 'bag-info.txt', bytes: lines(info) },
    {
      path: 'manifest-sha256.txt',
      bytes: lines(payload.map(({ path, sha256 }) => `${sha256}  ${bagPath(path)}`)),
    },
  ]
}

export function sumsFile(files: readonly Listed[]): Uint8Array {
  const sorted = files.toSorted((a, b) => comparePaths(a.path, b.path))
  return lines(sorted.map(({ path, sha256 }) => `${sha256}  ${path}`))
}

/** RFC 8493 section 2.1.3. Line breaks need no escape: paths in a kit cannot contain them. */
function bagPath(path: string): string {
  return path.replaceAll('%', '%25')
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

function lines(all: readonly string[]): Uint8Array {
  return utf8(all.map((line) => `${line}\n`).join(''))
}
