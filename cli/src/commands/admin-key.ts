import type { Administration } from '@kitseal/server'
import { tableOf, type Shown } from '../command-line.ts'
import {
  described,
  group,
  type Input,
  label,
  onAdministration,
  refused,
  SHOWN_ONCE,
  type Subcommand,
  wholeNumber,
} from './admin-command.ts'
import { withWorkspace } from './admin-workspace.ts'

const USAGE = `usage: kitseal admin key create WORKSPACE [--label TEXT] [--scope LIST] [--expires-days N]   create a key, shown once
       kitseal admin key list WORKSPACE
       kitseal admin key rotate KEY_ID [--grace-hours N]     create a new key with the same scopes and lifetime
       kitseal admin key extend KEY_ID [--expires-days N]    give a key a new lifetime from now; it no longer ends with
                                                             the key that made it
       kitseal admin key revoke KEY_ID                       revoke a key immediately, with the keys that it made

OPTIONS`

const EXPIRES_DAYS = 'N  how long the key lives (default: without end)'

const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const

/** The scopes of --scope, separated by commas. */
function scopesIn({ value, reject }: Input): readonly (typeof SCOPES)[number][] | undefined {
  const names = value('scope')?.split(',')
  for (const name of names ?? [])
    if (!SCOPES.some((scope) => scope === name))
      reject(`--scope: ${JSON.stringify(name)} is not a scope. Scopes are ${SCOPES.join(', ')}`)
  return names && SCOPES.filter((scope) => names.includes(scope))
}

const HOUR_MS = 3_600_000
const GRACE_HOURS = 24

/** The lifetime of --expires-days; undefined for a key without end. */
function lifetimeIn(input: Input): number | undefined {
  const days = wholeNumber(input, 'expires-days', 1, 36_500)
  return days === undefined ? undefined : days * 24 * HOUR_MS
}

type Keys = Administration['keys']
type KeyId = Parameters<Keys['revoke']>[0]
const OPERATOR = { is: 'operator' } as const

const create: Subcommand = {
  options: {
    label: 'TEXT  what the key is for',
    scope: `LIST  what the key may do, separated by commas: ${SCOPES.join(', ')} (default: all)`,
    'expires-days': EXPIRES_DAYS,
  },
  positionals: ['WORKSPACE'],
  read: (input) => {
    const livesMs = lifetimeIn(input)
    const terms = { label: label(input, 'label') ?? '', scopes: scopesIn(input), livesMs }
    return withWorkspace(input.positionals[0], async ({ keys }, { workspace_id }) =>
      shownOnce(keys, await keys.create(workspace_id, terms, OPERATOR), { workspace_id }),
    )
  },
}

const list: Subcommand = {
  positionals: ['WORKSPACE'],
  read: ({ positionals: [wanted] }) =>
    withWorkspace(wanted, async (admin, row) => {
      const keys = await admin.keys.list(row.workspace_id)
      const shown = keys.map(({ scopes, ...key }) => Object.assign(key, { scopes: scopes.split(' ') }))
      const columns = [
        'key_id',
        'label',
        'scopes',
        'created_at',
        'last_used_at',
        'expires_at',
        'revoked_at',
      ] as const
      return tableOf(columns, shown)
    }),
}

const rotate: Subcommand = {
  options: { 'grace-hours': 'N  how long the old key still works (default: 24)' },
  positionals: ['KEY_ID'],
  read: (input) => {
    const hours = wholeNumber(input, 'grace-hours', 0, 8760) ?? GRACE_HOURS
    return withKey(input, async (keys, keyId) => {
      const created = await keys.rotate(keyId, hours * HOUR_MS, OPERATOR)
      if (created === undefined) return undefined
      const ends = (await keys.find(keyId))?.expires_at ?? null
      return shownOnce(keys, created, { replaces: keyId, old_key_expires_at: ends })
    })
  },
}

const extend: Subcommand = {
  options: { 'expires-days': EXPIRES_DAYS },
  positionals: ['KEY_ID'],
  read: (input) => {
    const livesMs = lifetimeIn(input)
    return withKey(input, async (keys, keyId) => {
      if (!(await keys.extend(keyId, livesMs, OPERATOR))) return undefined
      return described({ extended: keyId, expires_at: (await keys.find(keyId))?.expires_at ?? null })
    })
  },
}

const revoke: Subcommand = {
  positionals: ['KEY_ID'],
  read: (input) =>
    withKey(input, async (keys, keyId) => {
      if (!(await keys.revoke(keyId, OPERATOR))) return undefined
      return described({ revoked: keyId }, 'Requests with this key are now rejected with 401.')
    }),
}

export const run = group('key', USAGE, { create, list, rotate, extend, revoke })

/** Runs `act` on a key, which returns undefined if there is none that is active. */
const withKey = (
  { positionals: [keyId = ''] }: Input,
  act: (keys: Keys, keyId: KeyId) => Promise<Shown | undefined>,
) =>
  onAdministration(
    async ({ keys }) =>
      (await act(keys, keyId as KeyId)) ??
      refused(
        'no_such_key',
        `No active key ${JSON.stringify(keyId)}. Nothing was changed.`,
        'Run "kitseal admin key list WORKSPACE" to list keys.',
      ),
  )

async function shownOnce(
  keys: Keys,
  created: Awaited<ReturnType<Keys['create']>>,
  more: Readonly<Record<string, unknown>>,
): Promise<Shown> {
  const row = await keys.find(created.keyId)
  const { keyId: key_id, text: api_key } = created
  const [scopes, expires_at] = [row?.scopes.split(' ') ?? [], row?.expires_at ?? null]
  return described({ key_id, api_key, scopes, expires_at, ...more }, SHOWN_ONCE)
}
