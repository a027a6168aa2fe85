import { createReadStream, existsSync } from 'node:fs'
import {
  type AuditHead,
  type AuditReport,
  parseAuditHead,
  parseStrictJson,
  verifyAuditLog,
} from '@kitseal/kit/internal'
import { nodeHost, readSmallFile } from '@kitseal/kit/internal/node'
import { command, type Shown, subcommands, helpText } from '../command-line.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { SERVICE_NOTE, SERVICE_TABLE, serviceCommand } from '../service-call.ts'
import { EXIT, pluralize, printable, type Terminal, colors } from '../terminal.ts'
import { checkLine, errorLines } from '../report-text.ts'

const EXPORT_OPTIONS = {
  'require-confirmed':
    'exit with 3 if newer events exist that are not in the export, because the log has not confirmed them',
} as const
const VERIFY_OPTIONS = {
  policy:
    'FILE  require that the head is in a log of this policy (C2SP tlog-policy), cosigned by its witnesses',
  head: 'FILE  a head that you have from elsewhere, such as GET /v1/audit/head: its newest event must be in FILE',
} as const

const HELP = helpText(
  `usage: kitseal audit export FILE [--require-confirmed] [--url URL] [--json]
       kitseal audit verify [FILE] [--policy FILE] [--head FILE] [--json]

Exports the audit log of a workspace, and verifies an export offline. verify finds every event that was removed, changed,
reordered or cut off, the newest ones included.

commands:
  export FILE     save all events as JSON Lines, and the head with its log proof as the last line
  verify FILE     verify an export

OPTIONS

${SERVICE_NOTE}

examples:
  kitseal audit export audit.jsonl
  kitseal audit verify audit.jsonl --policy issuer.policy

exit codes: 0 PASS, or exported; 1 FAIL; 2 wrong usage, unreadable input, or the service cannot be reached; 3 complete up to its
head, but without a policy nobody vouches for the head, or events are not confirmed yet (--require-confirmed); 4 the service refused the call`,
  { ...EXPORT_OPTIONS, ...VERIFY_OPTIONS, ...SERVICE_TABLE },
)

const exportLog = serviceCommand('audit export', HELP, {
  options: EXPORT_OPTIONS,
  arguments: ['no file given'],
  input: ({ positionals: [path = ''] }) => {
    if (existsSync(path)) throw new InputError(`${path} already exists`)
  },
  read:
    ({ positionals: [path = ''], has }) =>
    async ({ client, signal, terminal }) => {
      const { downloadSink } = await import('../download-kit.ts')
      // Events that happen meanwhile are not missed.
      const newest = (await client.getAuditTrail({ limit: 1 }, { signal })).data[0]?.seq ?? 0
      await client.exportAudit({ into: downloadSink(path), signal })
      const report = await verifyAuditLog(createReadStream(path), {}, nodeHost)
      if (report.verdict === 'altered') return shown(report, terminal)
      const count = report.head?.count ?? 0
      const unconfirmed = Math.max(0, newest - count)
      return {
        json: { saved: path, events: count, head: report.head?.head, unconfirmed },
        out: [
          `Saved ${pluralize(count, 'event')} to ${printable(path)}, confirmed by the log up to event ${count}.`,
          `To verify it: kitseal audit verify ${printable(path)} --policy FILE`,
        ],
        err: unconfirmed === 0 ? [] : [`${pluralize(unconfirmed, 'newer event')} ${NOT_CONFIRMED}`],
        exitCode: unconfirmed > 0 && has('require-confirmed') ? 3 : EXIT.ok,
      }
    },
})

const NOT_CONFIRMED =
  'not exported: the log or its witnesses have not confirmed that much yet. Export again later.'

const verify = command('audit verify', HELP, {
  options: VERIFY_OPTIONS,
  arguments: ['no file given'],
  read: ({ positionals: [path = ''], value }) => {
    const [policyPath, headPath] = [value('policy'), value('head')]
    return async (terminal) => {
      const { readPolicy } = await import('../read-policy.ts')
      const policy = policyPath === undefined ? undefined : (await readPolicy(policyPath)).policy
      const head = headPath === undefined ? undefined : await readHead(headPath)
      const report = await readOrFail(path, () =>
        verifyAuditLog(createReadStream(path), { policy, head }, nodeHost),
      )
      return shown(report, terminal)
    }
  },
})

/** `kitseal audit`. */
export const run = subcommands('audit', HELP, { export: exportLog, verify })

async function readHead(path: string): Promise<AuditHead> {
  const document = { what: 'a head', limitMiB: 1 }
  const parsed = await readOrFail(path, () => parseAuditHead(parseStrictJson(readSmallFile(path, document))))
  if (parsed.ok) return parsed.value
  throw new InputError(`${path} is not a head: ${parsed.problems.join('; ')}`)
}

function shown(report: AuditReport, terminal: Terminal): Shown {
  const exitCode = { verified: EXIT.ok, altered: EXIT.fail, log_unconfirmed: 3 }[report.verdict]
  return { json: report, out: auditText(report, terminal), exitCode }
}

const VERDICTS = {
  verified: ['good', 'Verified', 'No event up to this head was removed, changed or reordered.'],
  log_unconfirmed: [
    'warn',
    'Complete up to its head, but the log is not confirmed',
    'Anyone could have made this head. Pass --policy with the key of the log and its witnesses.',
  ],
  altered: ['bad', 'Not the audit log that was recorded', 'Do not rely on it. Export it again and compare.'],
} as const

/** The result of verifying an audit log as text. */
export function auditText(report: AuditReport, terminal: Terminal): readonly string[] {
  const style = colors(terminal)
  const [colour, heading, advice] = VERDICTS[report.verdict]
  const { head } = report
  return [
    `events   ${report.events}`,
    ...(head === null ? [] : [`head     event ${head.count}, ${head.head}`]),
    '',
    ...report.checks.map((check) => checkLine(check, style)),
    '',
    ...errorLines(report, style),
    `${style[colour](style.strong(report.status))}  ${heading}`,
    advice,
    style.faint(report.boundary),
  ]
}
