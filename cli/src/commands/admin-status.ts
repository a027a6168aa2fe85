import { formatBytes } from '@kitseal/kit/internal'
import type { Administration, ServiceStatus } from '@kitseal/server'
import { EXIT, pluralize, printable } from '../terminal.ts'
import { onAdministration, single } from './admin-command.ts'
import { describeWorkspace, withWorkspace } from './admin-workspace.ts'

const USAGE = `usage: kitseal admin status [OPTIONS]

Shows what operators see in the console: checks, nodes, storage, queue, mail, last backup and scrub, signing keys, log,
witnesses and operators; or a workspace, with its credits and the limits of its plan. Works while the service is down, if its database can be read. Use the settings and the user of the service.

OPTIONS

exit codes: 0 no check fails (warnings are no failure); 1 a check fails, or the store is unavailable; 2 wrong usage`

export const run = single('status', USAGE, {
  options: { workspace: 'WORKSPACE  an ID or a unique name' },
  read: ({ value }) => {
    const workspace = value('workspace')
    if (workspace !== undefined) return withWorkspace(workspace, describeWorkspace)
    return onAdministration(async (admin, { server, config }) => {
      const status = await server.readServiceStatus(config)
      const operators = await admin.operators.list()
      const isOk = status.checks.every(({ status: each }) => each !== 'fail')
      return {
        out: toText(status, operators).map(printable),
        json: { ...status, operators },
        exitCode: isOk ? EXIT.ok : EXIT.fail,
      }
    })
  },
})

type Operators = Awaited<ReturnType<Administration['operators']['list']>>

function toText(status: ServiceStatus, operators: Operators): readonly string[] {
  const { checks, nodes, storage, queue, mail, backup, scrub, log } = status
  const ago = (at: string | null): string => (at === null ? 'never' : `${agoText(at, status.at)} (${at})`)
  const rows: Readonly<Record<string, readonly string[]>> = {
    version: [`kitseal ${status.version}${status.issuer === null ? '' : `, ${status.issuer}`}`],
    nodes: orNone(
      'none is running',
      nodes.map(
        ({ name, role, version, started_at, seen_at, is_running }) =>
          `${name}, ${role}, ${version}, ${is_running ? `started ${ago(started_at)}` : `not seen since ${seen_at}`}`,
      ),
    ),
    storage: [
      `${formatBytes(storage.used_bytes)} used, objects in ${storage.objects === 's3' ? 'S3' : 'a folder'}, database ${storage.database}`,
      ...storage.disks.map(
        ({ folder, free_bytes, size_bytes }) =>
          `${folder}: ${formatBytes(free_bytes)} free of ${formatBytes(size_bytes)}`,
      ),
    ],
    queue: [
      `${queue.waiting} waiting, ${queue.running} running${queue.oldest_at === null ? '' : `, oldest ${ago(queue.oldest_at)}`}`,
    ],
    mail: mail.is_on
      ? [
          `${mail.waiting} waiting, last sent ${ago(mail.last_sent_at)}`,
          ...(mail.last_failed_at === null
            ? []
            : [`last failed ${ago(mail.last_failed_at)}: ${mail.last_problem ?? ''}`]),
        ]
      : ['no mail server is set'],
    backup: [ago(backup?.finished_at ?? null)],
    scrub: [ago(scrub.finished_at)],
    keys: status.signing_keys.map(
      ({ kid, state, created_at }) => `${kid}, ${state}, created ${ago(created_at)}`,
    ),
    log: log === null ? ['none yet'] : logText(log, ago),
    people: orNone(
      'there are no operators',
      operators.map(({ email, status: is, added_at }) => `${email}, ${is}, operator since ${added_at}`),
    ),
  }
  return [
    ...Object.entries(rows).flatMap(([name, lines]) =>
      lines.map((line, index) => `${(index === 0 ? name : '').padEnd(9)}${line}`),
    ),
    '',
    ...checks.map(
      ({ check, status: each, problem }) =>
        `${each.padEnd(5)}${check}${problem === null ? '' : `: ${problem}`}`,
    ),
    '',
    verdict(checks),
  ]
}

const orNone = (none: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [none] : lines

function logText(log: NonNullable<ServiceStatus['log']>, ago: (at: string | null) => string) {
  return [
    `${log.size === 1 ? '1 entry' : `${log.size} entries`}, ${log.waiting} waiting, checkpoint ${ago(log.updated_at)}`,
    ...(log.frozen === null ? [] : [`frozen since ${log.frozen.since}: ${log.frozen.reason}`]),
    ...log.witnesses.map(
      ({ name, cosigned_at, problem }) =>
        `witness ${name}: cosigned ${ago(cosigned_at)}${problem === null ? '' : `. ${problem}`}`,
    ),
  ]
}

function verdict(checks: ServiceStatus['checks']): string {
  const [failing, warnings] = (['fail', 'warn'] as const).map(
    (status) => checks.filter((check) => check.status === status).length,
  )
  if (failing === 0 && warnings === 0) return 'All checks pass.'
  return `${failing === 1 ? '1 check fails' : `${failing} checks fail`}, ${pluralize(warnings ?? 0, 'warning')}.`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function agoText(at: string, now: string): string {
  const ms = Date.parse(now) - Date.parse(at)
  const [unit, size] = UNITS.find((each) => ms >= each[1]) ?? ['second', 1000]
  return `${pluralize(Math.max(0, Math.floor(ms / size)), unit)} ago`
}
