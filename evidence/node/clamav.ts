import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ScannedFile, Scanner, ScanResult } from '../src/surroundings.ts'

export interface ClamavOptions {
  /** The path of a Unix socket, or `host:port`. */
  readonly address: string
  /** How long the daemon may stay silent. */
  readonly silenceMs?: number
}

const SILENCE_MS = 120_000
const FAILURES_IN_A_ROW = 3

/**
 * Has files scanned by clamd over its own protocol: a session, and INSTREAM for each file. Whatever goes wrong is a
 * failed scan, never a clean one.
 */
export function clamavScanner({ address, silenceMs = SILENCE_MS }: ClamavOptions): Scanner {
  return {
    async scan(files) {
      const results: ScanResult[] = []
      let session: Session | undefined
      let failures = 0
      try {
        for (const file of files) {
          if (failures >= FAILURES_IN_A_ROW) {
            results.push({ is: 'failed', why: 'the scanner does not answer' })
            continue
          }
          try {
            session ??= await openSession(address, silenceMs)
            results.push(await session.scan(file))
            failures = 0
          } catch (error) {
            // The daemon closes a session that it is displeased with; the next file may be to its liking.
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

/** Says nothing of where the daemon is: the sender of the evidence reads it. */
function reason(error: unknown): string {
  return error instanceof ScannerProblem ? error.message : 'the scanner cannot be reached'
}

class ScannerProblem extends Error {
  override readonly name = 'ScannerProblem'
}

interface Session {
  scan(file: ScannedFile): Promise<ScanResult>
  close(): void
}

async function openSession(address: string, silenceMs: number): Promise<Session> {
  const socket = connect(placeOf(address))
  socket.setTimeout(silenceMs, () => socket.destroy(new ScannerProblem('the scanner does not answer')))
  // Reported to whoever reads or writes next; without a listener it would end the process.
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

function placeOf(
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
    // An early answer means that the daemon has heard enough.
    if (socket.destroyed || !socket.writable) break
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    await send(socket, length)
    await send(socket, bytes)
  }
  if (socket.writable) await send(socket, Buffer.alloc(4))
  const { value, done } = await reply
  if (done === true) throw new ScannerProblem('the scanner closed the connection')
  return resultOf(value)
}

/** `1: stream: OK`, `1: stream: Eicar-Signature FOUND`, `INSTREAM size limit exceeded. ERROR`. */
function resultOf(reply: string): ScanResult {
  const text = reply.replace(/^\d+: /, '').replace(/^stream: /, '')
  if (text === 'OK') return { is: 'clean' }
  if (text.endsWith(' FOUND')) return { is: 'infected', signature: text.slice(0, -' FOUND'.length) }
  throw new ScannerProblem(`the scanner says: ${text.slice(0, 200)}`)
}

async function send(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (socket.destroyed || !socket.writable) return
  if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
}

const MAX_REPLY_BYTES = 64 * 1024

async function* readReplies(socket: Socket): AsyncGenerator<string> {
  let held = ''
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    held += bytes.toString('latin1')
    for (let end = held.indexOf('\0'); end !== -1; end = held.indexOf('\0')) {
      yield held.slice(0, end)
      held = held.slice(end + 1)
    }
    if (held.length > MAX_REPLY_BYTES) throw new ScannerProblem('the scanner talks nonsense')
  }
}
