import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { LogFormatError, type NoteKey, vkey } from '@kitseal/kit'
import { describeError, readSmallFile } from '@kitseal/kit/node'
import { command, type Given, type Shown } from '../command-line.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { interruptSignal } from '../interruption.ts'
import { keyPassphrase } from '../key-passphrase.ts'
import { shellQuotePath } from '../shell-quote.ts'
import { EXIT, printable, type Terminal, writeLines } from '../terminal.ts'
import { keepFork } from '../witness/keep-fork.ts'
import { parseTrustedLogs } from '../witness/trusted-logs.ts'
import { createWitnessFolder, openWitnessFolder, type WitnessFolder } from '../witness/witness-folder.ts'
import { witnessServer } from '../witness/witness-server.ts'

const HELP = `usage: kitseal witness init NAME --data DIR [--json]
       kitseal witness --data DIR --logs FILE [--host ADDRESS] [--port PORT] [--rate N]

Runs a witness: a server that cosigns the checkpoints of other people's logs (C2SP tlog-witness). It cosigns a checkpoint
only if the log has kept everything that it contained before. "init" creates the witness with its key and prints its
vkey, which the operators of logs and their readers need. NAME is a host and a path that are yours, without https://.

  --data DIR       the folder of the witness: its key, and the size of each log
  --logs FILE      the logs to cosign for: one vkey per line, a policy, such as a service has at /log/policy, or a list
                   of the witness network (logs/v0)
  --host ADDRESS   where to listen (default: 127.0.0.1)
  --port PORT      (default: 7380)
  --rate N         requests per second from one address (default: 20; 0 for no limit, behind a proxy that has its own)
  --json           print the result of "init" as JSON

Never copy the folder to run it twice, and never restore it from a backup: a witness that forgets what it cosigned could
cosign a second history. If the folder is lost, create a new witness. Set KITSEAL_KEY_PASSPHRASE to encrypt the key.

example:
  kitseal witness init witness.example/w1 --data witness
  curl -o logs.txt https://issuer.example/log/policy
  kitseal witness --data witness --logs logs.txt`

const OPTIONS = { data: 'one', logs: 'one', host: 'one', port: 'one', rate: 'one' } as const
const STOP_TIMEOUT_MS = 5000
const MAX_SHOWN = 20

/** `kitseal witness`. */
export const run = command('witness', HELP, {
  options: OPTIONS,
  read: (given) => {
    const data = given.value('data')
    given.reject(data === undefined && '--data is required: the folder of the witness')
    return given.positionals[0] === 'init' ? readInit(given, data ?? '') : readServe(given, data ?? '')
  },
})

type WitnessInput = Given<keyof typeof OPTIONS>

function readInit({ positionals, has, reject }: WitnessInput, data: string) {
  const [, name, ...more] = positionals
  const unused = (['logs', 'host', 'port', 'rate'] as const).filter(has)
  reject(...nameProblems(name, more), ...unused.map((option) => `init does not take --${option}`))
  return (terminal: Terminal): Promise<Shown> => init(data, name ?? '', terminal)
}

function readServe({ positionals: [word], value, reject }: WitnessInput, data: string) {
  const logs = value('logs')
  const port = wholeNumber(value('port') ?? '7380', 65_535)
  const rate = wholeNumber(value('rate') ?? '20', 100_000)
  reject(
    word !== undefined && `unexpected argument ${JSON.stringify(word)}`,
    logs === undefined && '--logs is required: a file with the vkeys of the logs',
    port === undefined && '--port must be a number from 0 to 65535',
    rate === undefined && '--rate must be a number from 0 to 100000',
  )
  const options = {
    data,
    logs: logs ?? '',
    host: value('host') ?? '127.0.0.1',
    port: port ?? 0,
    rate: rate ?? 0,
  }
  return (terminal: Terminal): Promise<number> => serve(options, terminal)
}

function nameProblems(name: string | undefined, more: readonly string[]): readonly string[] {
  if (name === undefined) return ['pass a name for the witness, such as witness.example/w1']
  return [
    ...more.map((word) => `unexpected argument ${JSON.stringify(word)}`),
    ...(name.includes('://') ? ['the name of a witness has no scheme: leave out "https://"'] : []),
  ]
}

function wholeNumber(text: string, max: number): number | undefined {
  return /^\d{1,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined
}

async function init(data: string, name: string, { env }: Terminal): Promise<Shown> {
  const key = await createWitnessFolder(data, name, keyPassphrase(env))
  const out = [
    `Created ${printable(data)}. Its key is secret: witness.key.`,
    '',
    'Give this vkey and the URL of the witness to the operators of logs:',
    `  ${vkey(key)}`,
    '',
    `To run it: kitseal witness --data ${shellQuotePath(data)} --logs FILE`,
  ]
  return { out, json: { data, name, vkey: vkey(key) } }
}

interface ServeOptions {
  readonly data: string
  readonly logs: string
  readonly host: string
  readonly port: number
  readonly rate: number
}

async function serve({ data, logs, host, port, rate }: ServeOptions, terminal: Terminal): Promise<number> {
  const trusted = await readLogs(logs)
  using folder = openWitnessFolder(data, keyPassphrase(terminal.env))
  if (
    [...trusted.values()]
      .flat()
      .some(({ publicKey }) => Buffer.compare(publicKey, folder.key.publicKey) === 0)
  )
    throw new InputError(`${logs} lists the key of this witness as the key of a log`)
  for (const origin of trusted.keys()) folder.store.add(origin)
  using interruption = interruptSignal()
  const failure = new AbortController()
  const warn = (text: string): void => writeLines(terminal.stderr, [`kitseal witness: ${printable(text)}`])
  const server = witnessServer(
    {
      ...folder,
      sign: folder.signer.sign,
      logs: trusted,
      now: Date.now,
      onFork(cosigned, refused) {
        const files = keepFork(data, cosigned, refused)
        if (files !== undefined) warn(`a log has signed two histories. Proof: ${files.join(', ')}`)
      },
    },
    { requestsPerSecond: rate, onFailure: (error) => failure.abort(error) },
  )
  await listen(server, host, port)
  writeLines(terminal.stdout, welcome(server, folder, trusted))
  const stopped = once(interruption.signal, 'abort').then(() => undefined)
  const failed = once(failure.signal, 'abort').then((): unknown => failure.signal.reason)
  const error = await Promise.race([failed, stopped])
  await close(server)
  if (error === undefined) return EXIT.ok
  warn(`stopped: ${describeError(error)}`)
  return EXIT.fail
}

async function readLogs(path: string): Promise<ReadonlyMap<string, readonly NoteKey[]>> {
  const bytes = await readOrFail(path, () => readSmallFile(path, { what: 'a list of logs', limitMiB: 16 }))
  try {
    return parseTrustedLogs(Buffer.from(bytes).toString())
  } catch (error) {
    if (error instanceof LogFormatError) throw new InputError(`${path}: ${error.message}`)
    throw error
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new InputError(`cannot listen on ${host}, port ${port}: ${describeError(error)}`)
  }
}

function welcome(
  server: Server,
  { key, store }: WitnessFolder,
  logs: ReadonlyMap<string, readonly NoteKey[]>,
): readonly string[] {
  const { address, family, port } = server.address() as AddressInfo
  return [
    `Witness on http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    `vkey  ${vkey(key)}`,
    ...[...logs.keys()]
      .slice(0, MAX_SHOWN)
      .map((origin) => `log   ${printable(origin)}, cosigned size ${store.last(origin).size}`),
    ...(logs.size > MAX_SHOWN ? [`… and ${logs.size - MAX_SHOWN} more logs`] : []),
    'Ctrl-C stops it.',
  ]
}

/** Finishes what has begun. */
async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const timer = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT_MS)
  await closed
  clearTimeout(timer)
}
