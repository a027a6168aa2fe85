import type { Share } from '@kitseal/client'
import { subcommands } from '../command-line.ts'
import { durationProblems } from '../duration.ts'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import {
  endIn,
  instant,
  kitIdOf,
  kitName,
  limitProblem,
  LINK_OPTIONS,
  linkLines,
  linkTerms,
  mailText,
  readPassword,
} from '../share-arguments.ts'
import { listCommand } from '../resource-commands.ts'
import { pluralize, printable } from '../terminal.ts'

const HELP = `usage: kitseal share KIT [--path PATH]… [--expires 14d] [--note TEXT] [--max-downloads N] [--password]
                     [--to ADDRESS]… [--notify] [--url URL] [--json]
       kitseal share list [--url URL] [--json]
       kitseal share log SHARE [--url URL] [--json]
       kitseal share change SHARE [--expires 14d] [--max-downloads N|none] [--password|--password-file FILE] [--no-password]
                     [--notify|--no-notify] [--url URL] [--json]
       kitseal share link SHARE [--to ADDRESS] [--url URL] [--json]
       kitseal share revoke SHARE [--to ADDRESS] [--url URL] [--json]

Creates a link that lets someone without an account verify and download a kit, or only some of its files. The link is
printed once: the service stores a hash of it. Anyone who has it can use it until it expires or is revoked.

  KIT                  a kit ID, the ID of its submission, or a kit.zip
  --path PATH          share only this file, or this folder with a slash at the end: report.pdf, data/logs/. Repeatable
  --expires DURATION   how long the link works: 14d (default), 12h, at most 366d
  --note TEXT          a line for the recipient
  --max-downloads N    close the share after N visits that read files. A visit to the page counts once, with its download
  --password           ask for a password that the recipient needs too
  --password-file FILE read it from the first line of a file
  --notify             mail you when something is downloaded, at most once a day for each recipient
  --to ADDRESS         mail a link to this address. Repeatable: each recipient gets a link of their own, and the log
                       tells whose was used. There is no other link. If the service sends no mail, they are printed

commands:
  list            list the newest 100 shares
  log SHARE       show who used a share, newest first
  change SHARE    change how long it works, its limit, its password or notices. The links stay the same
  link SHARE      create a new link for a recipient, or for anyone. Their former link stops working
  revoke SHARE    make all links stop working at once, or with --to the one of a recipient

${SERVICE_HELP}

examples:
  kitseal share kit_5wYvRk1oUxw2HcAjZ0pQdKfNs4E --expires 14d
  kitseal share kit.zip --path access-review.csv --note "For the Q3 walkthrough"
  kitseal share kit.zip --to ann@auditor.example --to bob@auditor.example
  kitseal share revoke shr_Hc2AjZ0pQdKfNs4E5wYvRk1oUxw

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const create = serviceCommand('share', HELP, {
  options: { path: 'many', ...LINK_OPTIONS },
  arguments: ['pass a kit'],
  input: async ({ positionals: [kit = ''], value, has }, terminal) => ({
    kit: await kitName(kit),
    password: await readPassword(value('password-file'), has('password'), terminal),
  }),
  read: ({ value, values, has, reject }) => {
    const terms = linkTerms({ value, values, has })
    reject(...terms.problems)
    return async (call, { kit, password }) => {
      const share = await call.client.createShare(
        {
          kit_id: await kitIdOf(kit, call),
          ...(has('path') && { paths: values('path') }),
          ...terms.members(password),
        },
        { signal: call.signal },
      )
      const what = share.paths === null ? 'the whole kit' : pluralize(share.paths.length, 'file')
      const heading = `Sharing ${what} until ${instant(share.expires_at)}. Share ID: ${share.share_id}`
      return {
        json: share,
        err: [heading, ...mailText(share)].map(printable),
        out: linkLines(share).map(printable),
      }
    }
  },
})

const list = listCommand(
  'share list',
  HELP,
  ({ client, signal }) => client.listShares({ limit: 100 }, { signal }),
  (share) => [rowOf(share as Share)],
  'Nothing is shared.',
)

const log = serviceCommand('share log', HELP, {
  arguments: ['pass the ID of a share'],
  read:
    ({ positionals: [id = ''] }) =>
    async ({ client, signal }) => {
      const page = await client.listShareAccesses(id, { limit: 100 }, { signal })
      const out = page.data.map(({ created_at, kind, name, address, recipient }) => {
        const who = [recipient, name].filter((text) => text !== null)
        return printable([instant(created_at), kind.padEnd(16), address, ...who].join('  '))
      })
      return { json: page, out, err: out.length === 0 ? ['Nobody has used this share yet.'] : [] }
    },
})

const revoke = serviceCommand('share revoke', HELP, {
  options: { to: 'one' },
  arguments: ['pass the ID of a share'],
  read: ({ positionals: [id = ''], value }) => {
    const recipient = value('to')
    return async ({ client, signal }) => {
      if (recipient === undefined) await client.revokeShare(id, { signal })
      else await client.revokeShareLink(id, { recipient }, { signal })
      const share = await client.getShare(id, { signal })
      const whose = recipient === undefined ? 'Its link' : `The link of ${recipient}`
      const what = recipient === undefined ? `${share.share_id} is revoked. ` : ''
      return { json: share, out: [printable(`${what}${whose} no longer works.`)] }
    }
  },
})

const link = serviceCommand('share link', HELP, {
  options: { to: 'one' },
  arguments: ['pass the ID of a share'],
  read: ({ positionals: [id = ''], value }) => {
    const recipient = value('to')
    return async ({ client, signal }) => {
      const share = await client.createShareLink(id, recipient === undefined ? {} : { recipient }, { signal })
      const former =
        recipient === undefined ? 'The former link for anyone' : `The former link of ${recipient}`
      return {
        json: share,
        err: [`${former}, if there was one, no longer works.`, ...mailText(share)].map(printable),
        out: linkLines(share).map(printable),
      }
    }
  },
})

const change = serviceCommand('share change', HELP, {
  options: {
    expires: 'one',
    'max-downloads': 'one',
    password: 'flag',
    'password-file': 'one',
    'no-password': 'flag',
    notify: 'flag',
    'no-notify': 'flag',
  },
  arguments: ['pass the ID of a share'],
  input: ({ value, has }, terminal) => readPassword(value('password-file'), has('password'), terminal),
  read: ({ positionals: [id = ''], value, has, reject }) => {
    const [expires, limit] = [value('expires'), value('max-downloads')]
    const isPassword = (['password', 'password-file', 'no-password'] as const).filter((name) => has(name))
    reject(
      ...durationProblems('--expires', expires),
      limit !== 'none' && limitProblem(limit),
      isPassword.length > 1 && `--${isPassword[0]} cannot be combined with --${isPassword[1]}`,
      has('notify') && has('no-notify') && '--notify cannot be combined with --no-notify',
      expires === undefined &&
        limit === undefined &&
        isPassword.length === 0 &&
        !has('notify') &&
        !has('no-notify') &&
        'pass what to change',
    )
    return async ({ client, signal }, password) => {
      const body = {
        ...(expires !== undefined && { expires_at: endIn(expires) }),
        ...(limit !== undefined && { max_downloads: limit === 'none' ? null : Number(limit) }),
        ...((has('notify') || has('no-notify')) && { notify_downloads: has('notify') }),
        ...(has('no-password') && { password: null }),
        ...(password !== undefined && { password }),
      }
      const share = await client.changeShare(id, body, { signal })
      return { json: share, out: [printable(rowOf(share))] }
    }
  },
})

/** `kitseal share`. */
export const run = subcommands('share', HELP, { list, log, change, link, revoke }, create)

function rowOf({ share_id, status, expires_at, downloads, max_downloads, paths, label }: Share): string {
  const used = max_downloads === null ? pluralize(downloads, 'visit') : `${downloads}/${max_downloads} visits`
  const what = paths === null ? 'whole kit' : pluralize(paths.length, 'file')
  return [share_id, status.padEnd(9), instant(expires_at), used, what, label].join('  ')
}
