import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { der } from '../../kit/src/time/der.ts'
import { basicConstraints, certify, extension, pem } from '../../test/forge/time/certificates.ts'
import { oid, sequence } from '../../test/forge/time/der-parts.ts'

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const DNS_NAME = 0x82

/** Serves `host` with TLS and a self-signed certificate, and forwards what it reads to a port of this machine. */
export async function tlsServer(host: string, port: number) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const certificate = certify(host, undefined, {
    signer: {
      spki: publicKey.export({ type: 'spki', format: 'der' }),
      algorithm: sequence(oid(ECDSA_WITH_SHA256)),
      sign: (message) => sign('sha256', message, privateKey),
    },
    valid: ['200101000000Z', '491231235959Z'],
    extensions: [
      basicConstraints(true),
      extension('2.5.29.17', false, sequence(der(DNS_NAME, Buffer.from(host)))),
    ],
  })
  const cert = pem(certificate)
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const open = new Set<TLSSocket>()
  const server = createServer({ key, cert }, (socket) => {
    open.add(socket)
    const target = connect(port, '127.0.0.1')
    for (const end of [socket, target]) end.on('error', () => end.destroy())
    socket.pipe(target).pipe(socket)
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    certificate: cert,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
