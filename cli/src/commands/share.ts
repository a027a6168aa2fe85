import { readFileSync } from 'node:fs'
import type { Share } from '@kitseal/client'
import { ENVELOPE, ENVELOPE_LIMIT_BYTES, parseReceipt, parseStrictJson } from '@kitseal/kit'
import { openKit } from '@kitseal/kit/node'
import { parseArguments, type ParsedArguments } from '../arguments.ts'
import { durationProblems, parseDuration } from '../duration.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { promptSecret } from '../prompt-secret.ts'
import {
  callService,
  rejectApiKeyOption,
  SERVICE_HELP,
  SERVICE_OPTIONS,
  type ServiceCall,
} from '../service-call.ts'
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

const HELP = `usage: kitseal share KIT [--path PATH]… [--expires 14d] [--note TEXT] [--max-downloads N] [--password]
                     [--to ADDRESS]… [--url URL] [--json]
       kitseal share list [--url URL] [--json]
       kitseal share log SHARE [--url URL] [--json]
       kitseal share revoke SHARE [--url URL] [--json]

Creates a link that lets someone without an account verify and download a kit, or only some of its files. The link is
printed once: the service stores a hash of it. Anyone who has it can use it until it expires or is revoked.

  KIT                  a kit ID, the ID of its submission, or a kit.zip
  --path PATH          share only this file, or this folder with a slash at the end: report.pdf, data/logs/. Repeatable
  --expires DURATION   how long the link works: 14d (default), 12h, at most 366d
  --note TEXT          a line for the recipient
  --max-downloads N    close the share after N downloads. Verifying and previewing on the page do not count
  --password           ask for a password that the recipient needs too
  --password-file FILE read it from the first line of a file
  --to ADDRESS         mail a link to this address. Repeatable: each recipient gets a link of their own, and the log
                       tells whose was used. If the service sends no mail, their links are printed instead

commands:
  list            list the newest 100 shares
  log SHARE       show who used a share, newest first
  revoke SHARE    make the link stop working at once

${SERVICE_HELP}

examples:
  kitseal share kit_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --expires 14d
  kitseal share kit.zip --path access-review.csv --note "For the Q3 walkthrough"
  kitseal share kit.zip --to ann@auditor.example --to bob@auditor.example
  kitseal share revoke shr_Hc2AjZ0pQdKfNs4E5wYvRk1oUxw

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const VERBS = { list: list, log: showLog, revoke: revoke } as const
const CREATE_OPTIONS = {
  path: 'many',
  expires: 'one',
  note: 'one',
  'max-downloads': 'one',
  password: 'flag',
  'password-file': 'one',
  to: 'many',
  ...SERVICE_OPTIONS,
} as const

type Parsed = ParsedArguments<string>

/** `kitseal share`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [verb = '--help', ...rest] = args
  if (verb === '--help' || verb === '-h') return showHelp(terminal, HELP)
  const isVerb = Object.hasOwn(VERBS, verb)
  const parsed: Parsed = parseArguments<string>(
    isVerb ? rest : args,
    isVerb ? SERVICE_OPTIONS : CREATE_OPTIONS,
  )
  if (parsed.wantsHelp) return showHelp(terminal, HELP)
  const [subject, ...more] = parsed.positionals
  const unexpected = verb === 'list' ? parsed.positionals : more
  const wrong = [
    ...parsed.problems,
    ...rejectApiKeyOption(parsed.values),
    ...(subject === undefined && verb !== 'list' ? [isVerb ? 'pass the ID of a share' : 'pass a kit'] : []),
    ...unexpected.map((word) => `unexpected argument ${JSON.stringify(word)}`),
    ...(isVerb ? [] : createProblems(parsed)),
  ]
  if (wrong.length > 0) return usageError(terminal, isVerb ? `share ${verb}` : 'share', wrong)
  const command = isVerb ? VERBS[verb as keyof typeof VERBS] : create
  return command(subject ?? '', parsed, terminal)
}

function createProblems({ values, flags }: Parsed): readonly string[] {
  const expires = values.get('expires')?.[0]
  const limit = values.get('max-downloads')?.[0]
  return [
    ...durationProblems('--expires', expires),
    ...(limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit)
      ? [`--max-downloads must be a number from 1, not ${JSON.stringify(limit)}`]
      : []),
    ...(flags.has('password') && values.has('password-file')
      ? ['--password cannot be combined with --password-file']
      : []),
  ]
}

async function create(kit: string, parsed: Parsed, terminal: Terminal): Promise<number> {
  const { values, flags } = parsed
  const json = flags.has('json')
  const read = async () => ({ kit: await kitName(kit), password: await passwordOf(parsed, terminal) })
  return callService(terminal, setupOf('share', parsed), read, async (call, input) => {
    const limit = values.get('max-downloads')?.[0]
    const [note, paths, recipients] = [values.get('note')?.[0], values.get('path'), values.get('to')]
    const seconds = parseDuration(values.get('expires')?.[0] ?? '14d') ?? 0
    const share = await call.client.createShare(
      {
        kit_id: await kitIdOf(input.kit, call),
        expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
        ...(paths === undefined ? {} : { paths: [...paths] }),
        ...(note === undefined ? {} : { note }),
        ...(limit === undefined ? {} : { max_downloads: Number(limit) }),
        ...(input.password === undefined ? {} : { password: input.password }),
        ...(recipients === undefined ? {} : { recipients: [...recipients] }),
      },
      { signal: call.signal },
    )
    const what = share.paths === null ? 'the whole kit' : pluralize(share.paths.length, 'file')
    const heading = `Sharing ${what} until ${instant(share.expires_at)}. Share ID: ${share.share_id}`
    if (json) writeLines(terminal.stdout, [jsonText(share)])
    else {
      writeLines(terminal.stderr, [heading, ...mailText(share)].map(printable))
      writeLines(terminal.stdout, linkLines(share).map(printable))
    }
    return EXIT.ok
  })
}

function mailText({ recipients }: Share): readonly string[] {
  if (recipients.length === 0) return []
  if (recipients.some(({ url }) => url !== null))
    return ['This service sends no mail. Send each recipient their link:']
  return [`Mailed to ${recipients.map(({ email }) => email).join(', ')}. Your own link:`]
}

const linkLines = ({ url, recipients }: Share): readonly string[] =>
  recipients.some((each) => each.url !== null)
    ? recipients.map((each) => `${each.email}  ${each.url}`)
    : [url ?? '']

const setupOf = (command: string, { values, flags }: Parsed) => ({
  command,
  url: values.get('url')?.[0],
  json: flags.has('json'),
})

/** An ID as it is, or the kit ID in the receipt of a local kit. */
async function kitName(kit: string): Promise<string> {
  if (/^(kit|sub)_[\w-]{22,64}$/.test(kit)) return kit
  using files = await readOrFail(kit, () => openKit(kit))
  const receipt = await readOrFail(`${ENVELOPE.receipt} of the kit`, async () =>
    parseReceipt(parseStrictJson(await files.read(ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt))),
  )
  if (!receipt.ok) throw new InputError(`${kit} is not a kit: ${receipt.problems.join('; ')}`)
  return receipt.value.kit_id
}

async function kitIdOf(name: string, { client, signal }: ServiceCall): Promise<string> {
  if (name.startsWith('kit_')) return name
  const { kit_id, status } = await client.getSubmission(name, { signal })
  if (kit_id === null) throw new InputError(`${name} has no kit: its status is ${status}`)
  return kit_id
}

async function passwordOf({ values, flags }: Parsed, terminal: Terminal): Promise<string | undefined> {
  const file = values.get('password-file')?.[0]
  if (file !== undefined) {
    const [line = ''] = (await readOrFail(file, async () => readFileSync(file, 'utf8'))).split(/\r?\n/, 1)
    if (line === '') throw new InputError(`the first line of ${file} is empty`)
    return line
  }
  if (!flags.has('password')) return undefined
  const typed = await promptSecret(terminal, 'Password for the share: ')
  if (typed === undefined) throw new InputError('no password given. Without a terminal, use --password-file')
  return typed
}

async function list(_none: string, parsed: Parsed, terminal: Terminal): Promise<number> {
  return callService(
    terminal,
    setupOf('share list', parsed),
    () => undefined,
    async ({ client, signal }) => {
      const { data: shares } = await client.listShares({ limit: 100 }, { signal })
      if (parsed.flags.has('json')) writeLines(terminal.stdout, [jsonText(shares)])
      else if (shares.length === 0) writeLines(terminal.stderr, ['Nothing is shared.'])
      else
        writeLines(
          terminal.stdout,
          shares.map((share) => printable(rowOf(share as Share))),
        )
      return EXIT.ok
    },
  )
}

function rowOf({ share_id, status, expires_at, downloads, max_downloads, paths, label }: Share): string {
  const used =
    max_downloads === null ? pluralize(downloads, 'download') : `${downloads}/${max_downloads} downloads`
  const what = paths === null ? 'whole kit' : pluralize(paths.length, 'file')
  return [share_id, status.padEnd(9), instant(expires_at), used, what, label].join('  ')
}

async function showLog(id: string, parsed: Parsed, terminal: Terminal): Promise<number> {
  return callService(
    terminal,
    setupOf('share log', parsed),
    () => undefined,
    async ({ client, signal }) => {
      const { data: accesses } = await client.listShareAccesses(id, { limit: 100 }, { signal })
      if (parsed.flags.has('json')) writeLines(terminal.stdout, [jsonText(accesses)])
      else if (accesses.length === 0) writeLines(terminal.stderr, ['Nobody has used this share yet.'])
      else
        writeLines(
          terminal.stdout,
          accesses.map(({ created_at, kind, name, address, recipient }) =>
            printable(
              [
                instant(created_at),
                kind.padEnd(16),
                address,
                ...[recipient, name].filter((text) => text !== null),
              ].join('  '),
            ),
          ),
        )
      return EXIT.ok
    },
  )
}

async function revoke(id: string, parsed: Parsed, terminal: Terminal): Promise<number> {
  return callService(
    terminal,
    setupOf('share revoke', parsed),
    () => undefined,
    async ({ client, signal }) => {
      await client.revokeShare(id, { signal })
      const share = await client.getShare(id, { signal })
      const text = `${share.share_id} is revoked. Its link no longer works.`
      writeLines(terminal.stdout, [parsed.flags.has('json') ? jsonText(share) : printable(text)])
      return EXIT.ok
    },
  )
}

const instant = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
