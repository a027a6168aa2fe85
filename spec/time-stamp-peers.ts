import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Certificate, SignedData, TimeStampResp } from 'pkijs'
import { parseCertificates } from '../kit/src/time/certificate.ts'
import { TimeStampFormatError } from '../kit/src/time/der.ts'
import { parseTimeStamp } from '../kit/src/time/time-stamp.ts'
import { type TimeStampStatus, verifyTimeStamp } from '../kit/src/time/verify-time-stamp.ts'
import { nodeHost } from '../kit/node/internal.ts'
import { VECTORS_FOLDER } from './stored-vectors.ts'
import { needs } from '../test/kit/needs.ts'

/** A reason to skip tests, or false. */
export const skipWithoutOpenssl = needs('openssl').skip
if (skipWithoutOpenssl !== false) console.log(`skipped: ${skipWithoutOpenssl}`)

export const STAMPED_MS = Date.UTC(2026, 4, 5, 12, 1, 30)
/** The text that the time-stamps of the vectors are over. */
export const DATA = Buffer.from('issuer.example/log\n11\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n')
/** The root of the time-stamps of the vectors. */
const ROOT = readFileSync(path.join(VECTORS_FOLDER, 'roots/root.pem'))
const ownRoots = parseCertificates(ROOT)

/** Our result. Malformed time-stamps have no status. */
export async function ours(
  response: Uint8Array,
  data: Uint8Array,
  roots = ownRoots,
): Promise<TimeStampStatus | undefined> {
  try {
    return await verifyTimeStamp(parseTimeStamp(response), data, roots, nodeHost)
  } catch (error) {
    if (error instanceof TimeStampFormatError) return undefined
    throw error
  }
}

/** `openssl ts -verify`, with the certificates valid at the time of the vectors. */
export class Openssl implements Disposable {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'kitseal-openssl-'))

  constructor(data: Uint8Array) {
    writeFileSync(path.join(this.#folder, 'data'), data)
    writeFileSync(path.join(this.#folder, 'root.pem'), ROOT)
  }

  accepts(response: Uint8Array, rootsFile = 'root.pem'): boolean {
    writeFileSync(path.join(this.#folder, 'time.tsr'), response)
    const given = [
      '-data',
      'data',
      '-in',
      'time.tsr',
      '-CAfile',
      rootsFile,
      '-attime',
      String(STAMPED_MS / 1000),
    ]
    return (
      spawnSync('openssl', ['ts', '-verify', ...given], { cwd: this.#folder, stdio: 'ignore' }).status === 0
    )
  }

  /** A response of `openssl ts -reply` over the data, by an authority of its own, and its root. */
  stamp(plan: StampPlan = {}): { readonly response: Uint8Array; readonly root: string } {
    const { key = P256, digest = 'sha256', imprint = 'sha256', ca = 'ca', tsa = 'tsa_extensions' } = plan
    const { certificateId = 'sha256', caDigest = 'sha256' } = plan
    const config = CONFIG.replace('DIGEST', digest).replace('IDENTIFIER', certificateId)
    writeFileSync(path.join(this.#folder, 'openssl.cnf'), config)
    const run = (command: string, ...more: readonly string[]): Buffer =>
      execFileSync('openssl', [...command.split(' '), ...more], {
        cwd: this.#folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    const request = (name: string, newKey: string, subject: string, more: string): Buffer =>
      run(
        `req -config openssl.cnf -newkey ${newKey} -nodes -keyout ${name}.key ${more}`,
        '-subj',
        `/CN=OpenSSL ${subject}`,
      )
    const sign = (name: string, by: string, extensions: string, hash: string): Buffer =>
      run(
        `x509 -req -in ${name}.csr -CA ${by}.pem -CAkey ${by}.key -CAcreateserial -extfile openssl.cnf -extensions ${extensions} -${hash} -out ${name}.pem`,
      )
    request('root', P256, 'root', '-x509 -extensions ca -out root.pem')
    request('ca', P256, 'CA', '-out ca.csr')
    sign('ca', 'root', ca, caDigest)
    request('tsa', key, 'authority', '-out tsa.csr')
    sign('tsa', 'ca', tsa, 'sha256')
    run(`ts -query -data data -${imprint} -cert -out query.tsq`)
    run('ts -reply -config openssl.cnf -queryfile query.tsq -out reply.tsr')
    const read = (name: string): Buffer => readFileSync(path.join(this.#folder, name))
    return { response: read('reply.tsr'), root: read('root.pem').toString() }
  }

  /** Whether it accepts what it has just made. */
  acceptsOwn(): boolean {
    const given = '-data data -in reply.tsr -CAfile root.pem'.split(' ')
    const { status } = spawnSync('openssl', ['ts', '-verify', ...given], {
      cwd: this.#folder,
      stdio: 'ignore',
    })
    return status === 0
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true })
  }
}

/** How `openssl ts` makes a time-stamp: sections of the configuration, and names of OpenSSL. */
export interface StampPlan {
  readonly key?: string
  readonly digest?: string
  readonly imprint?: string
  readonly ca?: string
  readonly tsa?: string
  readonly certificateId?: string
  readonly caDigest?: string
}

const P256 = 'ec -pkeyopt ec_paramgen_curve:prime256v1'

const CONFIG = `[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[constrained_ca]
basicConstraints = critical, CA:true
nameConstraints = critical, permitted;DNS:example.com
[unmarked_ca]
keyUsage = critical, keyCertSign
[other_purpose]
basicConstraints = critical, CA:false
extendedKeyUsage = critical, timeStamping, 1.2.3.4.5
[no_ca]
basicConstraints = critical, CA:false
[tsa_extensions]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = authority
[authority]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = DIGEST
certs = ca.pem
default_policy = 1.2.3.4
digests = md5, sha1, sha256, sha384, sha512
accuracy = secs:1, millisecs:500
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = IDENTIFIER
`

/** PKI.js, with the certificates valid at the time of the vectors. */
export async function pkijsAccepts(response: Uint8Array, data: Uint8Array): Promise<boolean> {
  try {
    const { timeStampToken } = TimeStampResp.fromBER(arrayBuffer(response))
    if (timeStampToken === undefined) return false
    const signedData = new SignedData({ schema: timeStampToken.content })
    return await signedData.verify({
      signer: 0,
      data: arrayBuffer(data),
      trustedCerts: [Certificate.fromBER(arrayBuffer(new X509Certificate(ROOT).raw))],
      checkChain: true,
      checkDate: new Date(STAMPED_MS),
    })
  } catch {
    return false
  }
}

function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
