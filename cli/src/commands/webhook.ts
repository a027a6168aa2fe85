import type { Webhook } from '@kitseal/client'
import { subcommands } from '../command-line.ts'
import { idCommand, listCommand } from '../resource-commands.ts'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { EXIT, printable } from '../terminal.ts'
import { wholeNumber } from './admin-group.ts'

const HELP = `usage: kitseal webhook create TARGET_URL [--type TYPE]… [--description TEXT] [--url URL] [--json]
       kitseal webhook list [--url URL] [--json]
       kitseal webhook show | ping | log | enable | disable | remove WEBHOOK [--url URL] [--json]
       kitseal webhook rotate WEBHOOK [--grace-hours N] [--url URL] [--json]
       kitseal webhook replay WEBHOOK --after SEQ [--url URL] [--json]

Sends the events of the workspace to a URL of yours. The API key needs the scope admin. To try a receiver on your machine,
use "kitseal listen".

commands:
  create    print the secret that messages are signed with, once. --type: only events of this type. Repeatable
  ping      send a test event and show the result
  log       show the newest attempts
  disable   send nothing until it is enabled. It then continues where it stopped
  rotate    replace the secret. --grace-hours: how long the former one signs, too (default 24)
  replay    send all events after this sequence number again

${SERVICE_HELP}

examples:
  kitseal webhook create https://example.com/hook --type submission.passed --type submission.failed
  kitseal webhook ping whk_4Xw0s6S1

exit codes: 0 success; 1 the test event was not delivered; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const ID = 'pass the ID of a webhook'

const create = serviceCommand('webhook create', HELP, {
  options: { type: 'many', description: 'one' },
  arguments: ['pass the URL that events are sent to'],
  read: ({ positionals: [url = ''], value, values, has }) => {
    const description = value('description')
    const body = {
      url,
      ...(has('type') && { types: [...values('type')] }),
      ...(description !== undefined && { description }),
    }
    return async ({ client, signal }) => secretOf(await client.createWebhook(body, { signal }))
  },
})

const list = listCommand(
  'webhook list',
  HELP,
  ({ client, signal }) => client.listWebhooks({ signal }),
  cellsOf,
  'There are no webhooks.',
)

const show = idCommand('webhook show', HELP, ID, async ({ client, signal }, id) =>
  shown(await client.getWebhook(id, { signal })),
)

const ping = idCommand('webhook ping', HELP, ID, async ({ client, signal }, id) => {
  const attempt = await client.pingWebhook(id, { signal })
  return {
    json: attempt,
    out: [printable(attemptText(attempt))],
    exitCode: attempt.problem === null ? EXIT.ok : EXIT.fail,
  }
})

const log = idCommand('webhook log', HELP, ID, async ({ client, signal }, id) => {
  const page = await client.listWebhookAttempts(id, { limit: 100 }, { signal })
  const err = page.data.length === 0 ? ['Nothing was sent yet.'] : []
  return { json: page, out: page.data.map(attemptText).map(printable), err }
})

const switched = (name: string, enabled: boolean) =>
  idCommand(`webhook ${name}`, HELP, ID, async ({ client, signal }, id) =>
    shown(await client.changeWebhook(id, { enabled }, { signal })),
  )

const rotate = serviceCommand('webhook rotate', HELP, {
  options: { 'grace-hours': 'one' },
  arguments: [ID],
  read: (given) => {
    const [id = ''] = given.positionals
    const grace_hours = wholeNumber(given, 'grace-hours', 0, 720)
    const body = grace_hours === undefined ? {} : { grace_hours }
    return async ({ client, signal }) => secretOf(await client.rotateWebhookSecret(id, body, { signal }))
  },
})

const replay = serviceCommand('webhook replay', HELP, {
  options: { after: 'one' },
  arguments: [ID],
  read: (given) => {
    const [id = ''] = given.positionals
    const after = wholeNumber(given, 'after', 0, 1e15)
    given.reject(after === undefined && '--after is missing: a sequence number')
    return async ({ client, signal }) => shown(await client.replayWebhook(id, after ?? 0, { signal }))
  },
})

const remove = idCommand('webhook remove', HELP, ID, async ({ client, signal }, id) => {
  await client.deleteWebhook(id, { signal })
  return { json: { removed: id }, out: [printable(`Removed ${id}. It gets no more events.`)] }
})

/** `kitseal webhook`. */
export const run = subcommands('webhook', HELP, {
  create,
  list,
  show,
  ping,
  log,
  enable: switched('enable', true),
  disable: switched('disable', false),
  rotate,
  replay,
  remove,
})

type Listed = Pick<Webhook, 'webhook_id' | 'url' | 'types' | 'enabled' | 'disabled_reason' | 'last_seq'>

function cellsOf({ webhook_id, url, types, enabled, disabled_reason, last_seq }: Listed): readonly string[] {
  const state = enabled ? 'enabled' : `disabled${disabled_reason === null ? '' : ` (${disabled_reason})`}`
  return [webhook_id, state, `delivered up to ${last_seq}`, types?.join(', ') ?? 'all events', url]
}

const shown = (webhook: Listed) => ({ json: webhook, out: [printable(cellsOf(webhook).join('  '))] })

function secretOf(made: Listed & { readonly secret?: string | undefined; readonly notice?: string }) {
  const { webhook_id, secret, notice } = made
  return {
    json: made,
    err: [`${webhook_id}. Its secret is shown only now:`, ...(notice === undefined ? [] : [notice])].map(
      printable,
    ),
    out: secret === undefined ? [] : [printable(secret)],
  }
}

function attemptText(attempt: {
  readonly created_at: string
  readonly seq: number
  readonly type: string
  readonly status: number | null
  readonly duration_ms: number
  readonly problem: string | null
}): string {
  const { created_at, seq, type, status, duration_ms, problem } = attempt
  const result = problem ?? `delivered, status ${status ?? 'none'}`
  return [created_at, String(seq).padStart(6), type, `${duration_ms} ms`, result].join('  ')
}
