import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly source: string
  /** Unfolded, by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
}

export interface SmtpReceiver extends AsyncDisposable {
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** Called with the number of each message, from 1, and its recipients: a status such as 451 rejects it after its content was sent. */
  answer(message: number, to: readonly string[]): number | undefined
}

/** A real mail server on a free port. */
export async function smtpReceiver(answer: SmtpReceiver['answer'] = () => undefined): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = []
  let count = 0
  const state = { answer }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        count += 1
        const to = session.envelope.rcptTo.map(({ address }) => address)
        const status = state.answer(count, to)
        if (status !== undefined) {
          done(Object.assign(new Error('not now'), { responseCode: status }))
          return
        }
        const source = Buffer.concat(chunks).toString()
        received.push({
          to,
          source,
          headers: headersOf(source),
        })
        done()
      })
    },
  })
  // A client that is killed resets its connection.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    get answer() {
      return state.answer
    },
    set answer(next) {
      state.answer = next
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function headersOf(source: string): ReadonlyMap<string, string> {
  const [head = ''] = source.split('\r\n\r\n')
  return new Map(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
  )
}
