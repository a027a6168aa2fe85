import type { Administration } from '@kitseal/server'
import { type Shown, wholeList } from '../command-line.ts'
import {
  done,
  group,
  type Input,
  label,
  onAdministration,
  refused,
  type Subcommand,
  table,
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
      const rows = keys.map((key) => [
        key.key_id,
        key.label === '' ? '-' : key.label,
        key.scopes === SCOPES.join(' ') ? 'all' : key.scopes.replaceAll(' ', ','),
        key.created_at,
        key.last_used_at ?? '-',
        key.revoked_at === null ? (key.expires_at ?? '-') : `revoked ${key.revoked_at}`,
      ])
      const shown = keys.map(({ scopes, ...key }) => Object.assign(key, { scopes: scopes.split(' ') }))
      const head = ['KEY', 'LABEL', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES']
      return done(table(head, rows), wholeList(shown))
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
      const note = `The old key, ${keyId}, ${ends === null ? 'has expired' : `expires at ${ends}`}.`
      return shownOnce(keys, created, { replaces: keyId, old_key_expires_at: ends }, note)
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
      const expires_at = (await keys.find(keyId))?.expires_at ?? null
      const ends = expires_at === null ? 'never' : `at ${expires_at}`
      return done([`Extended: ${keyId}`, `  It expires ${ends}.`], { extended: keyId, expires_at })
    })
  },
}

const revoke: Subcommand = {
  positionals: ['KEY_ID'],
  read: (input) =>
    withKey(input, async (keys, keyId) => {
      if (!(await keys.revoke(keyId, OPERATOR))) return undefined
      const lines = [`Revoked: ${keyId}`, '  Requests with this key are now rejected with 401.']
      return done(lines, { revoked: keyId })
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
  ...notes: readonly string[]
): Promise<Shown> {
  const row = await keys.find(created.keyId)
  const expires_at = row?.expires_at ?? null
  const scopes = row?.scopes.split(' ') ?? []
  const lines = [
    `Key:     ${created.keyId}`,
    `API key: ${created.text}`,
    ...(scopes.length === SCOPES.length ? [] : [`Scopes:  ${scopes.join(', ')}`]),
    ...(expires_at === null ? [] : [`Expires: ${expires_at}`]),
    '  The API key is shown only now and is not stored. Keep it secret.',
    ...notes,
  ]
  return done(lines, { key_id: created.keyId, api_key: created.text, scopes, expires_at, ...more })
}
