import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ScannedFile, Scanner, ScanResult } from '../src/platform/platform.ts'

export interface ClamavOptions {
  /** The path of a Unix socket, or `host:port`. */
  readonly address: string
  /** How long to wait for the daemon. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 120_000
const MAX_CONSECUTIVE_FAILURES = 3

/** Scans files with clamd: one session, and INSTREAM for each file. Any error is a failed scan, never a clean one. */
export function clamavScanner({ address, timeoutMs = TIMEOUT_MS }: ClamavOptions): Scanner {
  return {
    async scan(files) {
      const results: ScanResult[] = []
      let session: Session | undefined
      let failures = 0
      try {
        for (const file of files) {
          if (failures >= MAX_CONSECUTIVE_FAILURES) {
            results.push({ is: 'failed', why: 'the scanner does not respond' })
            continue
          }
          try {
            session ??= await openSession(address, timeoutMs)
            results.push(await session.scan(file))
            failures = 0
          } catch (error) {
            // The daemon closes the session after an error. The next file gets a new one.
            session?.close()
            session = undefined
            failures++
            results.push({ is: 'failed', why: reason(error) })
          }
        }
      } finally {
        session?.close()
      }
      return results
    },
  }
}

/** Suppliers read this, so it must not reveal the address of the daemon. */
function reason(error: unknown): string {
  return error instanceof ScannerError ? error.message : 'the scanner cannot be reached'
}

class ScannerError extends Error {
  override readonly name = 'ScannerError'
}

interface Session {
  scan(file: ScannedFile): Promise<ScanResult>
  close(): void
}

async function openSession(address: string, timeoutMs: number): Promise<Session> {
  const socket = connect(parseAddress(address))
  socket.setTimeout(timeoutMs, () => socket.destroy(new ScannerError('the scanner does not respond')))
  // The next read or write reports it. Without a listener it would crash the process.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const replies = readReplies(socket)
  socket.write('zIDSESSION\0')
  return {
    scan: (file) => scanOne(socket, replies, file),
    close: () => {
      socket.end('zEND\0')
      socket.destroySoon()
    },
  }
}

function parseAddress(
  address: string,
): { readonly path: string } | { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':')
  if (address.startsWith('/') || colon === -1) return { path: address }
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) }
}

async function scanOne(
  socket: Socket,
  replies: AsyncGenerator<string>,
  file: ScannedFile,
): Promise<ScanResult> {
  const reply = replies.next()
  reply.catch(() => undefined)
  await send(socket, Buffer.from('zINSTREAM\0'))
  for await (const bytes of file.read()) {
    // The daemon may respond and close before the end of the file.
    if (socket.destroyed || !socket.writable) break
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    await send(socket, length)
    await send(socket, bytes)
  }
  if (socket.writable) await send(socket, Buffer.alloc(4))
  const { value, done } = await reply
  if (done === true) throw new ScannerError('the scanner closed the connection')
  return resultOf(value)
}

/** `1: stream: OK`, `1: stream: Eicar-Signature FOUND`, `INSTREAM size limit exceeded. ERROR`. */
function resultOf(reply: string): ScanResult {
  const text = reply.replace(/^\d+: /, '').replace(/^stream: /, '')
  if (text === 'OK') return { is: 'clean' }
  if (text.endsWith(' FOUND')) return { is: 'infected', signature: text.slice(0, -' FOUND'.length) }
  throw new ScannerError(`the scanner reported: ${text.slice(0, 200)}`)
}

async function send(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (socket.destroyed || !socket.writable) return
  if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
}

const MAX_REPLY_BYTES = 64 * 1024

async function* readReplies(socket: Socket): AsyncGenerator<string> {
  let buffer = ''
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    buffer += bytes.toString('latin1')
    for (let end = buffer.indexOf('\0'); end !== -1; end = buffer.indexOf('\0')) {
      yield buffer.slice(0, end)
      buffer = buffer.slice(end + 1)
    }
    if (buffer.length > MAX_REPLY_BYTES) throw new ScannerError('the scanner sent an invalid reply')
  }
}
