import { setTimeout as sleep } from 'node:timers/promises'
import { command } from '../command-line.ts'
import { parseDuration } from '../duration.ts'
import { describeError, errorJson, InputError, reportInputError } from '../input-error.ts'
import { Interrupted, interruptSignal } from '../interruption.ts'
import { isSecure } from '../is-unencrypted.ts'
import { issuerUrl } from '../issuer-url.ts'
import { type Alert, LogAlert } from '../monitor/alert.ts'
import { checkLog, type LogCheck } from '../monitor/check-log.ts'
import { followLog } from '../monitor/followed-log.ts'
import { keepEvidence } from '../monitor/keep-evidence.ts'
import { openMirror } from '../monitor/mirror-log.ts'
import { openState } from '../monitor/monitor-state.ts'
import { publishedKids } from '../monitor/published-kids.ts'
import { readReceiptList } from '../monitor/read-receipt-list.ts'
import { jsonLine, reportAlerts, WebhookError } from '../monitor/report-alerts.ts'
import { defaultStatePath } from '../monitor/state-path.ts'
import { readPolicy } from '../read-policy.ts'
import { EXIT, pluralize, printable, type Terminal, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal monitor ISSUER [--policy FILE | --vkey VKEY] [--receipts FILE|DIR] [--max-age TIME] [--mirror DIR]
                       [--state FILE] [--webhook URL] [--follow [--interval TIME]] [--timeout TIME] [--quiet] [--json]

Checks what is new in the transparency log of an issuer, and that nothing in it was changed or removed. Runs once, for cron or
a timer, or with --follow until it is stopped.

  --policy FILE       the key of the log, its witnesses and their quorum (C2SP tlog-policy)
  --vkey VKEY         the key of the log. Without --policy and --vkey, the key that the issuer publishes is pinned on first
                      use: compare it with one that you got elsewhere
  --receipts FILE|DIR the receipts that should be in the log: a file with one SHA-256 per line, or a folder of receipts and
                      kits. Every other receipt in the log is an alert
  --max-age TIME      alert if witnesses have not cosigned for this long, or, without witnesses, if the log has not grown
  --mirror DIR        keep a copy of the log that any web server can serve
  --state FILE        what was checked so far (default: ~/.local/state/kitseal/monitor/ISSUER.sqlite)
  --webhook URL       post alerts as JSON. Until it accepts them, they are reported again in each run
  --follow            keep running
  --interval TIME     with --follow, time between checks (default: 60s)
  --timeout TIME      for each request (default: 20s)
  --quiet             print alerts only
  --json              print one JSON object per line

TIME is a number with s, m, h or d, such as 90s or 24h.

alerts:
  fork              the log signed two trees that contradict each other. Both checkpoints are kept in FILE.evidence
  rollback          the log is smaller than it was
  log_invalid       a checkpoint, tile or entry is malformed, or its signature or hash is wrong
  leaf_invalid      a leaf is of an unknown version or kind
  job_twice         two receipts for one job
  unknown_kid       a receipt is signed with a key that was not logged before, or that the issuer does not publish
  receipt_unlisted  a receipt is not on the list of --receipts
  quorum_lost       too few witnesses of the policy cosigned
  stale             --max-age is exceeded
  log_unreachable   the log cannot be read

examples:
  kitseal monitor https://issuer.example
  kitseal monitor https://issuer.example --policy issuer.policy --max-age 24h --webhook https://hooks.example/T0/B1
  kitseal monitor https://issuer.example --mirror /srv/log --follow --interval 5m

exit codes: 0 no alerts; 1 an alert; 2 wrong usage or unreadable input; 4 the log cannot be read`

interface Options {
  readonly issuer: string
  readonly policy: string | undefined
  readonly vkey: string | undefined
  readonly receipts: string | undefined
  readonly maxAgeMs: number | undefined
  readonly mirror: string | undefined
  readonly state: string
  readonly webhook: string | undefined
  readonly intervalMs: number | undefined
  readonly timeoutMs: number
  readonly quiet: boolean
  readonly json: boolean
}

/** `kitseal monitor`. */
export const run = command('monitor', HELP, {
  options: {
    policy: 'one',
    vkey: 'one',
    receipts: 'one',
    'max-age': 'one',
    mirror: 'one',
    state: 'one',
    webhook: 'one',
    follow: 'flag',
    interval: 'one',
    timeout: 'one',
    quiet: 'flag',
  },
  arguments: ['no issuer given. Pass its URL, such as https://issuer.example'],
  read: ({ positionals: [named = ''], value, has, json, reject }) => {
    const issuer = issuerUrl(named) ?? ''
    const webhook = value('webhook')
    const milliseconds = (option: 'max-age' | 'interval' | 'timeout'): number | undefined => {
      const text = value(option)
      const seconds = parseDuration(text ?? '') ?? 0
      reject(
        text !== undefined &&
          seconds === 0 &&
          `--${option} must be a time such as 90s, 5m or 24h, not ${JSON.stringify(text)}`,
      )
      return seconds === 0 ? undefined : seconds * 1000
    }
    reject(
      named !== '' &&
        issuer === '' &&
        `ISSUER must be an https URL, such as https://issuer.example, not ${JSON.stringify(named)}`,
      has('policy') && has('vkey') && '--policy cannot be combined with --vkey',
      has('interval') && !has('follow') && '--interval needs --follow',
      webhook !== undefined && !isSecure(webhook) && '--webhook must be an https URL',
    )
    const [maxAgeMs, intervalMs] = [milliseconds('max-age'), timerMs(milliseconds('interval') ?? 60_000)]
    const options = {
      issuer,
      policy: value('policy'),
      vkey: value('vkey'),
      receipts: value('receipts'),
      maxAgeMs,
      mirror: value('mirror'),
      webhook,
      intervalMs: has('follow') ? intervalMs : undefined,
      timeoutMs: timerMs(milliseconds('timeout') ?? 20_000),
      quiet: has('quiet'),
      json,
    }
    return (terminal) =>
      monitor({ ...options, state: value('state') ?? defaultStatePath(issuer, terminal.env) }, terminal)
  },
})

async function monitor(options: Options, terminal: Terminal): Promise<number> {
  using interrupt = interruptSignal()
  const { signal } = interrupt
  const { intervalMs } = options
  /** Alerts of the last check, which --follow does not repeat. */
  let reported: ReadonlySet<string> = new Set()
  try {
    for (;;) {
      const current = new Set<string>()
      const deliver = async (alerts: readonly Alert[]): Promise<void> => {
        await reportAlerts(
          alerts.filter((alert) => !reported.has(keyOf(alert))),
          { ...options, signal },
          terminal,
        )
        for (const alert of alerts) current.add(keyOf(alert))
      }
      const code = await checkOnce(options, terminal, signal, deliver, current)
      if (intervalMs === undefined || code === EXIT.usage) return code
      reported = current
      await sleep(intervalMs, undefined, { signal })
    }
  } catch (error) {
    if (signal.reason instanceof Interrupted) return signal.reason.exitCode
    throw error
  }
}

const keyOf = ({ code, message }: Alert): string => `${code} ${message}`

/** One check of the log. Returns the exit code. */
async function checkOnce(
  options: Options,
  terminal: Terminal,
  signal: AbortSignal,
  deliver: (alerts: readonly Alert[]) => Promise<void>,
  reported: ReadonlySet<string>,
): Promise<number> {
  const { issuer, json, maxAgeMs, timeoutMs } = options
  const requests = { timeoutMs, signal }
  try {
    const policy = options.policy === undefined ? undefined : await readPolicy(options.policy)
    const receipts = options.receipts === undefined ? undefined : await readReceiptList(options.receipts)
    using state = await openState(options.state)
    try {
      const log = await followLog(
        issuer,
        { policy, vkey: options.vkey },
        state.seen(),
        options.state,
        requests,
      )
      const check = await checkLog(log, {
        ...requests,
        state,
        mirror: options.mirror === undefined ? undefined : openMirror(options.mirror),
        maxAgeMs,
        receipts,
        publishedKids: () => publishedKids(issuer, requests),
        now: Date.now,
        deliver,
      })
      if (log.firstUse)
        writeLines(terminal.stderr, [
          `First use of ${printable(issuer)}: pinned the log key ${printable(log.vkey)}. Compare it with one that you got elsewhere.`,
        ])
      for (const problem of check.checkpoints.unread)
        writeLines(terminal.stderr, [`kitseal monitor: cannot read the witness ${printable(problem)}`])
      if (!options.quiet) writeLines(terminal.stdout, [summary(options, check, reported.size)])
      return reported.size > 0 ? EXIT.fail : EXIT.ok
    } catch (error) {
      if (!(error instanceof LogAlert)) throw error
      await deliver([await keepEvidence(error, `${options.state}.evidence`)])
      return error.code === 'log_unreachable' ? EXIT.refused : EXIT.fail
    }
  } catch (error) {
    signal.throwIfAborted()
    const isDatabase = (error as { code?: unknown }).code === 'ERR_SQLITE_ERROR'
    const shown = isDatabase
      ? new InputError(`cannot use the state ${options.state}: ${describeError(error)}`)
      : error
    if (json && shown instanceof InputError) {
      writeLines(terminal.stdout, [
        jsonLine(JSON.parse(errorJson({ code: 'input_unreadable', message: shown.message }))),
      ])
      return shown instanceof WebhookError ? EXIT.fail : EXIT.usage
    }
    const code = reportInputError(shown, 'monitor', terminal)
    return shown instanceof WebhookError ? EXIT.fail : code
  }
}

function summary({ issuer, json, policy }: Options, check: LogCheck, alerts: number): string {
  const { checkpoints, newLeaves, leavesLeft } = check
  const { origin, size, root } = checkpoints.served.checkpoint
  const witnesses = [...new Set(checkpoints.cosigned.map(({ name }) => name))]
  if (json)
    return jsonLine({
      status: alerts > 0 ? 'ALERT' : 'OK',
      issuer,
      time: new Date().toISOString(),
      origin,
      size,
      root: Buffer.from(root).toString('base64'),
      new_leaves: newLeaves,
      leaves_left: leavesLeft,
      cosigned_by: witnesses,
      alerts,
    })
  const cosigned =
    policy === undefined
      ? ''
      : `, cosigned by ${pluralize(witnesses.length, 'witness').replace('witnesss', 'witnesses')}`
  const left = leavesLeft === 0 ? '' : `, ${leavesLeft} left for the next run`
  const verdict = alerts > 0 ? `ALERT  ${pluralize(alerts, 'alert')}` : 'OK    '
  return `${verdict} ${printable(origin)}: ${size === 1 ? '1 leaf' : `${size} leaves`}, ${newLeaves} new${left}${cosigned}`
}

/** At most what a timer can wait. */
const timerMs = (ms: number): number => Math.min(ms, 2 ** 31 - 1)
