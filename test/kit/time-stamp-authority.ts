import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from './needs.ts'

/** Why tests with a real authority are skipped here; false if they run. */
export const noOpenssl = needs('openssl').skip

export interface TimeStampAuthority extends AsyncDisposable {
  readonly url: string
  /** The root certificate, PEM. */
  readonly rootsFile: string
  readonly requests: Uint8Array[]
  /** Makes a response to a request. */
  stamp(request: Uint8Array): Uint8Array<ArrayBuffer>
  /** Can be changed between requests. A number is a status. Undefined: never answers. */
  answer: (request: Uint8Array) => Uint8Array | number | undefined
}

const CONFIG = `
[req]
distinguished_name = name
prompt = no
[name]
CN = Test authority
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[tsa]
extendedKeyUsage = critical, timeStamping
keyUsage = critical, digitalSignature
[tsa_config]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
certs = root.pem
default_policy = 1.2.3.4
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
ess_cert_id_chain = no
`

/** `openssl ts` behind an HTTP server. */
export async function timeStampAuthority(): Promise<TimeStampAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-tsa-'))
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  writeFileSync(join(folder, 'config'), CONFIG)
  writeFileSync(join(folder, 'serial'), '01\n')
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-config', 'config']
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
    '-extensions',
    'root',
    '-subj',
    '/CN=Test root',
  )
  openssl('req', ...newKey, '-keyout', 'tsa.key', '-out', 'tsa.csr')
  openssl(
    'x509',
    '-req',
    '-in',
    'tsa.csr',
    '-CA',
    'root.pem',
    '-CAkey',
    'root.key',
    '-set_serial',
    '2',
    '-extfile',
    'config',
    '-extensions',
    'tsa',
    '-out',
    'tsa.pem',
  )
  const requests: Uint8Array[] = []
  const stamp = (request: Uint8Array): Uint8Array<ArrayBuffer> => {
    writeFileSync(join(folder, 'query'), request)
    openssl(
      'ts',
      '-reply',
      '-config',
      'config',
      '-section',
      'tsa_config',
      '-queryfile',
      'query',
      '-out',
      'reply',
    )
    return new Uint8Array(readFileSync(join(folder, 'reply')))
  }
  const server = createServer(async (message, response) => {
    const parts: Uint8Array[] = []
    for await (const part of message) parts.push(part as Uint8Array)
    const request = Buffer.concat(parts)
    requests.push(request)
    const answer = authority.answer(request)
    if (typeof answer === 'number') response.writeHead(answer, { location: '/' }).end()
    else if (answer !== undefined)
      response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const authority: TimeStampAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rootsFile: join(folder, 'root.pem'),
    requests,
    stamp,
    answer: stamp,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(folder, { recursive: true })
    },
  }
  return authority
}
