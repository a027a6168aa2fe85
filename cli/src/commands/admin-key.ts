import type { Administration } from '@kitseal/server'
import {
  done,
  refused,
  group,
  type Input,
  label,
  type Subcommand,
  table,
  wholeNumber,
} from './admin-command.ts'
import { type Shown, wholeList } from '../command-line.ts'
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
const DAY_MS = 24 * HOUR_MS
const GRACE_HOURS = 24

type Keys = Administration['keys']
type KeyId = Parameters<Keys['revoke']>[0]
type Made = Awaited<ReturnType<Keys['create']>>

const create: Subcommand = {
  options: {
    label: 'TEXT  what the key is for',
    scope: `LIST  what the key may do, separated by commas: ${SCOPES.join(', ')} (default: all)`,
    'expires-days': EXPIRES_DAYS,
  },
  positionals: ['WORKSPACE'],
  read: (input) => {
    const [wanted = ''] = input.positionals
    const days = wholeNumber(input, 'expires-days', 1, 36_500)
    const terms = {
      label: label(input, 'label') ?? '',
      scopes: scopesIn(input),
      livesMs: days === undefined ? undefined : days * DAY_MS,
    }
    return withWorkspace(wanted, async ({ keys }, row) => {
      const created = await keys.create(row.workspace_id, terms, { is: 'operator' })
      return shownOnce(keys, created, { workspace_id: row.workspace_id })
    })
  },
}

const list: Subcommand = {
  positionals: ['WORKSPACE'],
  read: ({ positionals: [wanted = ''] }) =>
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
    const [keyId = ''] = input.positionals
    const hours = wholeNumber(input, 'grace-hours', 0, 8760) ?? GRACE_HOURS
    return async ({ keys }) => {
      const created = await keys.rotate(keyId as KeyId, hours * HOUR_MS, { is: 'operator' })
      if (created === undefined) return noSuchKey(keyId)
      const old = await keys.find(keyId as KeyId)
      const note =
        old?.expires_at == null
          ? `The old key, ${keyId}, has expired.`
          : `The old key, ${keyId}, expires at ${old.expires_at}.`
      return shownOnce(keys, created, { replaces: keyId, old_key_expires_at: old?.expires_at ?? null }, note)
    }
  },
}

const extend: Subcommand = {
  options: { 'expires-days': EXPIRES_DAYS },
  positionals: ['KEY_ID'],
  read: (input) => {
    const [keyId = ''] = input.positionals
    const days = wholeNumber(input, 'expires-days', 1, 36_500)
    return async ({ keys }) => {
      const livesMs = days === undefined ? undefined : days * DAY_MS
      if (!(await keys.extend(keyId as KeyId, livesMs, { is: 'operator' }))) return noSuchKey(keyId)
      const expires_at = (await keys.find(keyId as KeyId))?.expires_at ?? null
      return done(
        [`Extended: ${keyId}`, `  It expires ${expires_at === null ? 'never' : `at ${expires_at}`}.`],
        {
          extended: keyId,
          expires_at,
        },
      )
    }
  },
}

const revoke: Subcommand = {
  positionals: ['KEY_ID'],
  read:
    ({ positionals: [keyId = ''] }) =>
    async ({ keys }) => {
      if (!(await keys.revoke(keyId as KeyId, { is: 'operator' }))) return noSuchKey(keyId)
      return done([`Revoked: ${keyId}`, '  Requests with this key are now rejected with 401.'], {
        revoked: keyId,
      })
    },
}

export const run = group('key', USAGE, { create, list, rotate, extend, revoke })

async function shownOnce(
  keys: Keys,
  created: Made,
  more: Readonly<Record<string, unknown>>,
  note?: string,
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
    ...(note === undefined ? [] : [note]),
  ]
  return done(lines, { key_id: created.keyId, api_key: created.text, scopes, expires_at, ...more })
}

const noSuchKey = (keyId: string): Shown =>
  refused(
    'no_such_key',
    `No active key ${JSON.stringify(keyId)}. Nothing was changed.`,
    'Run "kitseal admin key list WORKSPACE" to list keys.',
  )
