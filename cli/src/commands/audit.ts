import { createReadStream, existsSync } from 'node:fs'
import {
  type CustodyRecord,
  type AuditReport,
  type JsonValue,
  type Parsed,
  parseAuditHead,
  parseCustodyRecord,
  parseStrictJson,
  verifyAuditLog,
  verifyCustodyRecord,
} from '@kitseal/kit'
import { nodeHost, readSmallFile } from '@kitseal/kit/node'
import { auditText } from '../audit-text.ts'
import { command, type Shown, subcommands } from '../command-line.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { replaceFile } from '../replace-file.ts'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { EXIT, pluralize, printable, type Terminal } from '../terminal.ts'

const HELP = `usage: kitseal audit export FILE [--require-confirmed] [--url URL] [--json]
       kitseal audit custody KIT_ID FILE [--certification] [--url URL] [--json]
       kitseal audit verify [FILE] [--policy FILE] [--head FILE] [--custody FILE] [--json]

Exports the audit log of a workspace, and verifies an export offline. verify finds every event that was removed, changed,
reordered or cut off, the newest ones included. The custody record of a kit has every event of that kit.

commands:
  export FILE     save all events as JSON Lines, and the head with its log proof as the last line
  custody KIT_ID FILE
                  save the custody record of a kit, as PDF or JSON by the ending of FILE
  verify FILE     verify an export

  --require-confirmed
                  exit with 3 if newer events exist that are not in the export, because the log has not confirmed them
  --certification add a draft certification in the form of FRE 902(13) and (14) to the PDF, to be completed and signed

  --policy FILE   require that the head is in a log of this policy (C2SP tlog-policy), cosigned by its witnesses
  --custody FILE  a custody record (JSON), compared with the export; without an export it is not compared
  --head FILE     a head that you have from elsewhere, such as GET /v1/audit/head: its newest event must be in FILE
${SERVICE_HELP}

examples:
  kitseal audit export audit.jsonl
  kitseal audit verify audit.jsonl --policy issuer.policy
  kitseal audit custody kit_4Xw0s6S1 custody.json
  kitseal audit verify audit.jsonl --custody custody.json --policy issuer.policy
  kitseal audit verify siem.jsonl --head head.json --policy issuer.policy --json

exit codes: 0 PASS, or exported; 1 FAIL; 2 wrong usage, unreadable input, or the service cannot be reached; 3 complete up to its
head, but without a policy nobody vouches for the head, or a custody record was not compared, or events are not confirmed
yet (--require-confirmed); 4 the service refused the call`

const exportLog = serviceCommand('audit export', HELP, {
  options: { 'require-confirmed': 'flag' },
  arguments: ['no file given'],
  input: ({ positionals: [path = ''] }) => {
    if (existsSync(path)) throw new InputError(`${path} already exists`)
  },
  read:
    ({ positionals: [path = ''], has }) =>
    async ({ client, signal, terminal }) => {
      const { downloadSink } = await import('../download-sink.ts')
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
        err:
          unconfirmed === 0
            ? []
            : [
                `${pluralize(unconfirmed, 'newer event')} not exported: the log or its witnesses have not confirmed ${unconfirmed === 1 ? 'it' : 'them'} yet. Export again later.`,
              ],
        exitCode: unconfirmed > 0 && has('require-confirmed') ? 3 : EXIT.ok,
      }
    },
})

const saveCustody = serviceCommand('audit custody', HELP, {
  options: { certification: 'flag' },
  arguments: ['no kit ID given', 'no file given'],
  input: ({ positionals: [, path = ''], has }) => {
    if (!/\.(pdf|json)$/i.test(path)) throw new InputError(`${path} must end with .pdf or .json`)
    if (has('certification') && !/\.pdf$/i.test(path))
      throw new InputError('--certification is part of the PDF: choose a FILE that ends with .pdf')
    if (existsSync(path)) throw new InputError(`${path} already exists`)
  },
  read:
    ({ positionals: [kitId = '', path = ''], has }) =>
    async ({ client, signal }) => {
      const { downloadSink } = await import('../download-sink.ts')
      const format = /\.pdf$/i.test(path) ? 'pdf' : 'json'
      if (format === 'json')
        replaceFile(path, `${JSON.stringify(await client.getCustodyRecord(kitId, { signal }), null, 2)}\n`)
      else {
        const certification = has('certification') ? 'draft' : undefined
        await client.getCustodyPdf(kitId, { certification, into: downloadSink(path), signal })
      }
      return {
        json: { saved: path, kit_id: kitId, format },
        out: [
          `Saved the custody record of ${printable(kitId)} to ${printable(path)}.`,
          ...(format === 'json'
            ? [`To compare it: kitseal audit verify AUDIT_LOG --custody ${printable(path)} --policy FILE`]
            : []),
        ],
      }
    },
})

const verify = command('audit verify', HELP, {
  options: { policy: 'one', head: 'one', custody: 'one' },
  arguments: [undefined],
  read: ({ positionals: [path], value, reject }) => {
    const [policyPath, headPath, custodyPath] = [value('policy'), value('head'), value('custody')]
    reject(path === undefined && custodyPath === undefined && 'no file given')
    return async (terminal) => {
      const policy =
        policyPath === undefined
          ? undefined
          : await (await import('../read-policy.ts')).readPolicy(policyPath)
      const head =
        headPath === undefined
          ? undefined
          : await readDocument(headPath, { what: 'a head', limitMiB: 1 }, parseAuditHead)
      const custody =
        custodyPath === undefined
          ? undefined
          : await readDocument(custodyPath, { what: 'a custody record', limitMiB: 64 }, parseCustodyRecord)
      if (path === undefined)
        return shown(await verifyCustodyRecord(custody as CustodyRecord, { policy }, nodeHost), terminal)
      const report = await readOrFail(path, () =>
        verifyAuditLog(createReadStream(path), { policy, head, custody }, nodeHost),
      )
      return shown(report, terminal)
    }
  },
})

/** `kitseal audit`. */
export const run = subcommands('audit', HELP, { export: exportLog, custody: saveCustody, verify })

async function readDocument<T>(
  path: string,
  document: { readonly what: string; readonly limitMiB: number },
  parse: (value: JsonValue) => Parsed<T>,
): Promise<T> {
  const parsed = await readOrFail(path, () => parse(parseStrictJson(readSmallFile(path, document))))
  if (parsed.ok) return parsed.value
  throw new InputError(`${path} is not ${document.what}: ${parsed.problems.join('; ')}`)
}

function shown(report: AuditReport, terminal: Terminal): Shown {
  const exitCode = { verified: EXIT.ok, altered: EXIT.fail, log_unconfirmed: 3, not_compared: 3 }[
    report.verdict
  ]
  return { json: report, out: auditText(report, terminal), exitCode }
}
