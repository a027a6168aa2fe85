import type { Federation } from '@kitseal/client'
import { subcommands } from '../command-line.ts'
import { idCommand, listCommand, scopesIn } from '../resource-commands.ts'
import { SERVICE_HELP, serviceCommand } from '../service-call.ts'
import { printable } from '../terminal.ts'

const HELP = `usage: kitseal federation create --label TEXT --issuer ISSUER_URL --claim NAME=VALUE… [--audience TEXT] [--scope LIST]
                                  [--url URL] [--json]
       kitseal federation list [--url URL] [--json]
       kitseal federation show | remove FEDERATION [--url URL] [--json]

Says which tokens of CI systems the workspace accepts instead of an API key. The API key needs the scope admin.

  --label TEXT        a name, which the audit log shows
  --issuer ISSUER_URL the OpenID Connect issuer, exactly as in the claim iss
  --claim NAME=VALUE  what a claim must be. A value that ends with * must only begin so, up to a /, : or @. Repeatable; all must match
  --audience TEXT     what the claim aud must be (default: the issuer of the service)
  --scope LIST        what its tokens may do, separated by commas (default: submit,read)
${SERVICE_HELP}

examples:
  kitseal federation create --label "GitHub Actions" --issuer https://token.actions.githubusercontent.com \\
    --claim repository=acme/evidence --claim 'ref=refs/heads/*'
  kitseal federation remove fed_4Xw0s6S1

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call`

const ID = 'pass the ID of a federation'

const create = serviceCommand('federation create', HELP, {
  options: { label: 'one', issuer: 'one', claim: 'many', audience: 'one', scope: 'one' },
  arguments: [],
  read: (given) => {
    const { value, values, has, reject } = given
    const claims = values('claim').map(claimIn)
    const scopes = scopesIn(given)
    const audience = value('audience')
    reject(
      !has('label') && '--label is missing',
      !has('issuer') && '--issuer is missing',
      !has('claim') && '--claim is missing: say which tokens count, such as repository=acme/evidence',
      claims.some(({ claim }) => claim === '') && '--claim must be NAME=VALUE',
    )
    const body = {
      label: value('label') ?? '',
      issuer: value('issuer') ?? '',
      claims,
      ...(audience !== undefined && { audience }),
      ...(scopes && { scopes }),
    }
    return async ({ client, signal }) => shown(await client.createFederation(body, { signal }))
  },
})

function claimIn(text: string) {
  const [, claim = '', value = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  return value.endsWith('*') ? { claim, prefix: value.slice(0, -1) } : { claim, equals: value }
}

const list = listCommand(
  'federation list',
  HELP,
  ({ client, signal }) => client.listFederations({ signal }),
  cellsOf,
  'There are no federations.',
)

const show = idCommand('federation show', HELP, ID, async ({ client, signal }, id) =>
  shown(await client.getFederation(id, { signal })),
)

const remove = idCommand('federation remove', HELP, ID, async ({ client, signal }, id) => {
  await client.deleteFederation(id, { signal })
  return { json: { removed: id }, out: [printable(`Removed ${id}. Its tokens no longer work.`)] }
})

/** `kitseal federation`. */
export const run = subcommands('federation', HELP, { create, list, show, remove })

function cellsOf({ federation_id, issuer, scopes, claims, label }: Federation): readonly string[] {
  const rules = claims.map((rule) => `${rule.claim}=${rule.equals ?? `${rule.prefix ?? ''}*`}`)
  return [federation_id, scopes.join(','), issuer, rules.join(' '), label]
}

const shown = (federation: Federation) => ({
  json: federation,
  out: [printable(cellsOf(federation).join('  '))],
})
