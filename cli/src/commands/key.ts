import type { CreatedApiKey } from '@kitseal/client'
import { type Shown, subcommands } from '../command-line.ts'
import { idCommand, listCommand, scopesIn } from '../resource-commands.ts'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { printable } from '../terminal.ts'
import { wholeNumber } from './admin-group.ts'

const HELP = `usage: kitseal key create --label TEXT [--scope LIST] [--expires-days N] [--url URL] [--json]
       kitseal key list [--url URL] [--json]
       kitseal key rotate KEY [--grace-hours N] [--url URL] [--json]
       kitseal key remove KEY [--url URL] [--json]

Manages the API keys of the workspace, with a key that has the scope admin. A key cannot create one that may do more, or lives
longer, than itself. The secret is printed once, on standard output.

  --label TEXT      what the key is for, such as the program that uses it
  --scope LIST      what it may do, separated by commas: submit, read, requests, shares, admin (default: submit,read)
  --expires-days N  how long it lives (default: it does not expire)
  --grace-hours N   how long the former key works after a rotation (default: 24)
${SERVICE_HELP}

examples:
  kitseal key create --label "nightly upload" --scope submit,read --expires-days 90
  kitseal key rotate key_4Xw0s6S1 --grace-hours 1

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const ID = 'pass the ID of a key (key_…), not its secret'

const create = serviceCommand('key create', HELP, {
  options: { label: 'one', scope: 'one', 'expires-days': 'one' },
  arguments: [],
  read: (given) => {
    const scopes = scopesIn(given)
    const expires_days = wholeNumber(given, 'expires-days', 1, 36_500)
    given.reject(!given.has('label') && '--label is missing: what the key is for')
    const label = given.value('label') ?? ''
    const body = { label, ...(scopes && { scopes }), ...(expires_days !== undefined && { expires_days }) }
    return async ({ client, signal }) => secretOf(await client.createApiKey(body, { signal }))
  },
})

const list = listCommand(
  'key list',
  HELP,
  ({ client, signal }) => client.listApiKeys({ signal }),
  ({ key_id, status, scopes, expires_at, last_used_at, label }) => [
    key_id,
    status.padEnd(7),
    scopes.join(','),
    `expires ${expires_at ?? 'never'}`,
    `used ${last_used_at ?? 'never'}`,
    label,
  ],
  'There are no keys.',
)

const rotate = serviceCommand('key rotate', HELP, {
  options: { 'grace-hours': 'one' },
  arguments: [ID],
  read: (given) => {
    const [id = ''] = given.positionals
    const grace_hours = wholeNumber(given, 'grace-hours', 0, 8760)
    const body = grace_hours === undefined ? {} : { grace_hours }
    return async ({ client, signal }) => secretOf(await client.rotateApiKey(id, body, { signal }))
  },
})

const remove = idCommand('key remove', HELP, ID, async ({ client, signal }, id) => {
  await client.revokeApiKey(id, { signal })
  return { json: { removed: id }, out: [printable(`Revoked ${id}. Requests with it are now refused.`)] }
})

/** `kitseal key`. */
export const run = subcommands('key', HELP, { create, list, rotate, remove })

function secretOf(made: Pick<CreatedApiKey, 'key' | 'api_key' | 'notice'>): Shown {
  const { key, api_key, notice } = made
  const said = notice ?? `${key.key_id}, ${key.scopes.join(', ')}. Its secret is shown only now:`
  return { json: made, err: [printable(said)], out: api_key === null ? [] : [printable(api_key)] }
}
