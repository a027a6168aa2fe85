import { join } from 'node:path'
import { groupBy, type LogPolicy, parseVkey, vkey } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/internal/node'
import { command } from '../command-line.ts'
import { stateFolder } from '../settings-file.ts'
import { durationProblems, parseDuration } from '../arguments.ts'
import { errorValue, InputError } from '../input-error.ts'
import { Interrupted, interruptSignal } from '../interruption.ts'
import { issuerUrl } from '../fetch-document.ts'
import { checkLog, type LogCheck, type MonitoredLog } from '../monitor/check-log.ts'
import { openMirror } from '../monitor/mirror-log.ts'
import { openState, type Seen } from '../monitor/monitor-state.ts'
import { type Alert, ALERTS, keepEvidence, LogAlert, readFromIssuer } from '../log/read-checkpoint.ts'
import { logOf, parsePolicyOf, readPolicy } from '../read-policy.ts'
import { EXIT, pluralize, printable, type Terminal, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal monitor ISSUER [OPTIONS]

Checks what is new in the transparency log of an issuer, and that nothing in it was changed or removed. Runs once, for cron or
a timer.

OPTIONS

alerts:
${Object.entries(ALERTS)
  .map(([code, about]) => `  ${code.padEnd(16)}  ${about}`)
  .join('\n')}

examples:
  kitseal monitor https://issuer.example
  kitseal monitor https://issuer.example --policy issuer.policy --max-age 24h --mirror /srv/log

exit codes: 0 no alerts; 1 an alert; 2 wrong usage or unreadable input; 4 the log cannot be read`

/** `kitseal monitor`. */
export const run = command('monitor', HELP, {
  options: {
    policy:
      'FILE  the key of the log, its witnesses and their quorum (C2SP tlog-policy). Without it, the key that the issuer publishes is pinned on first use: compare it with one that you got elsewhere',
    'max-age':
      'TIME  alert if witnesses have not cosigned for this long, or, without witnesses, if the log has not grown',
    mirror: 'DIR  keep a copy of the log that any web server can serve',
    state: 'FILE  what was checked so far (default: ~/.local/state/kitseal/monitor/ISSUER.sqlite)',
    quiet: 'print alerts only',
    json: 'print one JSON object per line',
  },
  arguments: ['no issuer given. Pass its URL, such as https://issuer.example'],
  read: ({ positionals: [named = ''], value, has, json, reject }) => {
    const issuer = issuerUrl(named) ?? ''
    const maxAge = value('max-age')
    reject(
      named !== '' &&
        issuer === '' &&
        `ISSUER must be an https URL, such as https://issuer.example, not ${JSON.stringify(named)}`,
      ...durationProblems('--max-age', maxAge),
    )
    return async (terminal) => {
      const [policyPath, mirrorPath] = [value('policy'), value('mirror')]
      const mirror = mirrorPath === undefined ? undefined : openMirror(mirrorPath)
      const maxAgeMs = maxAge === undefined ? undefined : (parseDuration(maxAge) ?? 0) * 1000
      const path = value('state') ?? defaultState(issuer, terminal.env)
      using interrupt = interruptSignal()
      const { signal } = interrupt
      let count = 0
      const report = (alerts: readonly Alert[]): void => {
        count += alerts.length
        const lines = limited(alerts).flatMap((alert) => alertLines(alert, issuer, json))
        writeLines(terminal.stdout, lines)
      }
      try {
        const policy = policyPath === undefined ? undefined : (await readPolicy(policyPath)).policy
        using state = await openState(path)
        const log = await followLog(issuer, policy, state.seen, path, signal)
        const check = await checkLog({ ...log, state, mirror, maxAgeMs, signal, report })
        if (state.seen === undefined && policy === undefined)
          writeLines(terminal.stderr, [
            `First use of ${printable(issuer)}: pinned the log key ${printable(log.vkey)}. Compare it with one that you got elsewhere.`,
          ])
        if (!has('quiet')) writeLines(terminal.stdout, [summary(log, check, count, json)])
        return count > 0 ? EXIT.fail : EXIT.ok
      } catch (error) {
        if (signal.reason instanceof Interrupted) return signal.reason.exitCode
        if (error instanceof LogAlert) {
          report([await keepEvidence(error, `${path}.evidence`)])
          return error.code === 'log_unreachable' ? EXIT.refused : EXIT.fail
        }
        if (!json || !(error instanceof InputError)) throw error
        const { message } = error
        writeLines(terminal.stdout, [jsonLine(errorValue({ code: 'input_unreadable', message }))])
        return EXIT.usage
      }
    }
  },
})

function defaultState(issuer: string, env: Terminal['env']): string {
  const name = issuer.replace(/^https?:\/\//, '').replaceAll(/[^A-Za-z0-9.-]+/g, '_')
  return join(stateFolder(env), 'kitseal', 'monitor', `${name}.sqlite`)
}

const POLICY_LIMIT_BYTES = 1_000_000

/** The log, with the key of the user's policy or of the state, or, on first use, that of the issuer. A key never changes. */
async function followLog(
  issuer: string,
  policy: LogPolicy | undefined,
  seen: Seen | undefined,
  path: string,
  signal: AbortSignal,
): Promise<MonitoredLog> {
  if (seen !== undefined && seen.issuer !== issuer)
    throw new InputError(`the state ${path} is of ${seen.issuer}. Use another --state for ${issuer}.`)
  const address = `${issuer}/log/policy`
  const published = () =>
    readFromIssuer(address, POLICY_LIMIT_BYTES, signal, (bytes) =>
      logOf(issuer, parsePolicyOf(address, bytes)),
    )
  const pinned = async () => (seen === undefined ? published() : parseVkey(seen.vkey, nodeHost.digest))
  const key = policy === undefined ? await pinned() : logOf(issuer, policy)
  if (key === undefined) throw new InputError(`the policy names no log of ${issuer}`)
  if (seen !== undefined && vkey(key) !== seen.vkey)
    throw new InputError(
      `the state ${path} follows the log key ${seen.vkey}, and the policy names ${vkey(key)}.`,
      'The key of a log never changes. If the issuer started another log, follow it with another --state.',
    )
  const { witnesses, quorum } = policy ?? { witnesses: [], quorum: undefined }
  return { issuer, vkey: vkey(key), policy: { logs: [{ key }], witnesses, quorum } }
}

/** A hostile log could cause millions of alerts, with long messages. */
const LIMIT_PER_CODE = 100
const MESSAGE_LENGTH = 1000

/** The first alerts of each code, and how many more there are. */
const limited = (alerts: readonly Alert[]): readonly Alert[] =>
  [...groupBy(alerts, ({ code }) => code)].flatMap(([code, all]) => {
    const more = all.length - LIMIT_PER_CODE
    return all.slice(0, LIMIT_PER_CODE).concat(more > 0 ? [{ code, message: `and ${more} more` }] : [])
  })

function alertLines(
  { code, message, index, evidence = [] }: Alert,
  issuer: string,
  json: boolean,
): readonly string[] {
  const text = message.slice(0, MESSAGE_LENGTH)
  if (json) return [jsonLine({ alert: code, issuer, time: now(), message: text, index, evidence })]
  return [`ALERT  ${code}: ${text}`, ...evidence.map((path) => `       evidence: ${path}`)].map(printable)
}

const now = (): string => new Date().toISOString()

/** One line, with control characters escaped. */
const jsonLine = (value: unknown): string => printable(JSON.stringify(value))

function summary(
  { issuer, policy }: MonitoredLog,
  { served, newLeaves, leavesLeft }: LogCheck,
  alerts: number,
  json: boolean,
): string {
  const { origin, size, root } = served.checkpoint
  const witnesses = [...new Set(served.cosigned.map(({ name }) => name))]
  if (json)
    return jsonLine({
      status: alerts > 0 ? 'ALERT' : 'OK',
      issuer,
      time: now(),
      origin,
      size,
      root: Buffer.from(root).toString('base64'),
      new_leaves: newLeaves,
      leaves_left: leavesLeft,
      cosigned_by: witnesses,
      alerts,
    })
  const left = leavesLeft === 0 ? '' : `, ${leavesLeft} left for the next run`
  const cosigned = policy.quorum === undefined ? '' : `, cosigned by ${witnesses.join(', ') || 'no witness'}`
  const verdict = alerts > 0 ? `ALERT  ${pluralize(alerts, 'alert')}` : 'OK    '
  return `${verdict} ${printable(origin)}: ${size === 1 ? '1 leaf' : `${size} leaves`}, ${newLeaves} new${left}${printable(cosigned)}`
}
