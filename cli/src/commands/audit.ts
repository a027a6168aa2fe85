import { createReadStream, existsSync } from 'node:fs'
import {
  type AuditHead,
  type AuditReport,
  parseAuditHead,
  parseStrictJson,
  verifyAuditLog,
} from '@kitseal/kit'
import { nodeHost, readSmallFile } from '@kitseal/kit/node'
import { parseArguments, type ParsedArguments, suggestion } from '../arguments.ts'
import { auditText } from '../audit-text.ts'
import { InputError, readOrFail, reportInputError } from '../input-error.ts'
import { callService, rejectApiKeyOption, SERVICE_HELP, SERVICE_OPTIONS } from '../service-call.ts'
import {
  EXIT,
  jsonText,
  pluralize,
  printable,
  showHelp,
  type Terminal,
  usageError,
  writeLines,
} from '../terminal.ts'

const HELP = `usage: kitseal audit export FILE [--url URL] [--json]
       kitseal audit verify FILE [--policy FILE] [--head FILE] [--json]

Exports the audit log of a workspace, and verifies an export offline. verify finds every event that was removed, changed,
reordered or cut off, the newest ones included.

commands:
  export FILE     save all events as JSON Lines, and the head with its log proof as the last line
  verify FILE     verify an export

  --policy FILE   require that the head is in a log of this policy (C2SP tlog-policy), cosigned by its witnesses
  --head FILE     a head that you have from elsewhere, such as GET /v1/audit/head: its newest event must be in FILE
${SERVICE_HELP}

examples:
  kitseal audit export audit.jsonl
  kitseal audit verify audit.jsonl --policy issuer.policy
  kitseal audit verify siem.jsonl --head head.json --policy issuer.policy --json

exit codes: 0 PASS, or exported; 1 FAIL; 2 wrong usage, unreadable input, or the service cannot be reached; 3 complete up to its
head, but without a policy nobody vouches for the head; 4 the service refused the call`

const VERBS = {
  export: SERVICE_OPTIONS,
  verify: { policy: 'one', head: 'one', json: 'flag' },
} as const

type Parsed = ParsedArguments<string>

/** `kitseal audit`. */
export async function run(
  [verb = '--help', ...args]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (verb === '--help' || verb === '-h') return showHelp(terminal, HELP)
  if (verb !== 'export' && verb !== 'verify') {
    const problem = `unknown command ${JSON.stringify(verb)}${suggestion(verb, Object.keys(VERBS))}`
    return usageError(terminal, 'audit', [problem])
  }
  const parsed: Parsed = parseArguments<string>(args, VERBS[verb])
  if (parsed.wantsHelp) return showHelp(terminal, HELP)
  const [path, ...more] = parsed.positionals
  const wrong = [
    ...parsed.problems,
    ...rejectApiKeyOption(parsed.values),
    ...(path === undefined ? ['no file given'] : []),
    ...more.map((word) => `unexpected argument ${JSON.stringify(word)}`),
  ]
  if (path === undefined || wrong.length > 0) return usageError(terminal, `audit ${verb}`, wrong)
  return verb === 'export' ? exportLog(path, parsed, terminal) : verify(path, parsed, terminal)
}

async function exportLog(path: string, { values, flags }: Parsed, terminal: Terminal): Promise<number> {
  const json = flags.has('json')
  const setup = { command: 'audit export', url: values.get('url')?.[0], json }
  const rejectExisting = (): void => {
    if (existsSync(path)) throw new InputError(`${path} already exists`)
  }
  return callService(terminal, setup, rejectExisting, async ({ client, signal }) => {
    const { downloadSink } = await import('../download-sink.ts')
    await client.exportAudit({ into: downloadSink(path), signal })
    const report = await verifyAuditLog(createReadStream(path), {}, nodeHost)
    if (report.verdict === 'altered') return show(report, json, terminal)
    const count = report.head?.count ?? 0
    writeLines(
      terminal.stdout,
      json
        ? [jsonText({ saved: path, events: count, head: report.head?.head })]
        : [
            `Saved ${pluralize(count, 'event')} to ${printable(path)}.`,
            `To verify it: kitseal audit verify ${printable(path)} --policy FILE`,
          ],
    )
    return EXIT.ok
  })
}

async function verify(path: string, { values, flags }: Parsed, terminal: Terminal): Promise<number> {
  const json = flags.has('json')
  try {
    const policyPath = values.get('policy')?.[0]
    const policy =
      policyPath === undefined ? undefined : await (await import('../read-policy.ts')).readPolicy(policyPath)
    const headPath = values.get('head')?.[0]
    const head = headPath === undefined ? undefined : await readHead(headPath)
    const report = await readOrFail(path, () =>
      verifyAuditLog(createReadStream(path), { policy, head }, nodeHost),
    )
    return show(report, json, terminal)
  } catch (error) {
    return reportInputError(error, 'audit verify', terminal, json)
  }
}

async function readHead(path: string): Promise<AuditHead> {
  const parsed = await readOrFail(path, () =>
    parseAuditHead(parseStrictJson(readSmallFile(path, { what: 'a head', limitMiB: 1 }))),
  )
  if (parsed.ok) return parsed.value
  throw new InputError(`${path} is not a head: ${parsed.problems.join('; ')}`)
}

function show(report: AuditReport, json: boolean, terminal: Terminal): number {
  writeLines(terminal.stdout, json ? [jsonText(report)] : auditText(report, terminal))
  return { verified: EXIT.ok, altered: EXIT.fail, log_unconfirmed: 3 }[report.verdict]
}
