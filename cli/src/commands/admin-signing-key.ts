import { resolve } from 'node:path'
import { parseJwks, parseStrictJson } from '@kitseal/kit'
import { readSmallFile } from '@kitseal/kit/internal/node'
import type { ImportedKey, Store } from '@kitseal/server'
import { tableOf, type Shown } from '../command-line.ts'
import { pluralize } from '../terminal.ts'
import {
  done,
  group,
  type Input,
  onStore,
  type Operation,
  refused,
  type Subcommand,
} from './admin-command.ts'

type SigningKeys = Store['signingKeys']
type Key = Awaited<ReturnType<SigningKeys['list']>>[number]
type Rotation = Extract<Awaited<ReturnType<SigningKeys['rotate']>>, { readonly is: 'done' }>

const USAGE = `usage: kitseal admin signing-key list                    list keys and their states
       kitseal admin signing-key rotate                  create a new key and retire the old one
       kitseal admin signing-key retire KID [--replace]  retire a key; kits it signed still verify
       kitseal admin signing-key revoke KID              revoke a key; kits it signed no longer verify
       kitseal admin signing-key compromise KID --since TIME
                                                         revoke a key that may be in other hands; kits that witnesses or a
                                                         time-stamp show to be older still verify
       kitseal admin signing-key import FILE             after a restore, take back the public half of keys that the log
                                                         names and the database lacks, from a key set such as jwks.json

OPTIONS`

const list: Subcommand = {
  read: () =>
    withKeys(async (keys) => {
      const all = await keys.list()
      const columns = ['kid', 'state', 'created_at', 'retired_at', 'revoked_at', 'provider'] as const
      return tableOf(columns, all.map(toJson))
    }),
}

const rotate: Subcommand = {
  read: () =>
    withKeys(async (keys) => {
      const change = await keys.rotate()
      return change.is === 'done' ? describeRotation(change) : refused('not_rotated', 'No key was rotated.')
    }),
}

const retire: Subcommand = {
  options: { replace: 'retire the active key and create a new one' },
  positionals: ['KID'],
  read: ({ positionals: [kid = ''], has }) =>
    withKeys(async (keys) => {
      const change = await keys.retire(kid, { replace: has('replace') })
      if (change.is === 'done') return describeRotation(change)
      if (change.is === 'unchanged') return unchanged(change.key, 'is already retired. Nothing was changed.')
      return refused(change.why, ...REFUSALS[change.why](kid))
    }),
}

const revoke: Subcommand = {
  positionals: ['KID'],
  read: ({ positionals: [kid = ''] }) =>
    endKey(kid, 'revoked', {
      end: (keys) => keys.revoke(kid),
      already: 'is already revoked. Nothing was changed.',
      lines: (kits) => [
        `Revoked: ${kid}`,
        `  It is no longer in the public key set. The ${kits} it signed will FAIL verification. This cannot be undone.`,
        '  Suppliers can re-issue them in the console or with "kitseal reissue", without charge.',
      ],
    }),
}

const compromise: Subcommand = {
  options: {
    since:
      'TIME  when the key may have been in other hands first, in UTC: 2026-05-01 or 2026-05-01T08:30:00Z. It can be moved to an earlier time later, never to a later one',
  },
  positionals: ['KID'],
  read: (input) => {
    const [kid = ''] = input.positionals
    const since = sinceOption(input)
    return endKey(kid, 'compromised', {
      end: (keys) => keys.compromise(kid, since),
      already: 'is already marked as compromised since then. Nothing was changed.',
      lines: (kits) => [
        `Compromised: ${kid}, since ${since}`,
        '  It is no longer in the public key set, which lists it as compromised. This cannot be undone.',
        `  Of the ${kits} it signed, those that witnesses or a time-stamp show to be older still verify, for readers with a policy.`,
        '  All others will FAIL verification. Suppliers can re-issue them in the console or with "kitseal reissue", without charge.',
      ],
    })
  },
}

const importKeys: Subcommand = {
  positionals: ['FILE'],
  read: ({ positionals: [file = ''] }) => {
    const path = resolve(file)
    return onStore(async ({ db, clock }, { server }) => {
      const parsed = parseJwks(parseStrictJson(await readSmallFile(path, { what: 'a key set', limitMiB: 4 })))
      if (!parsed.ok)
        return refused('not_a_key_set', `${path} is not a key set: ${parsed.problems.join('; ')}.`)
      const keys: { kid: string; result: ImportedKey }[] = []
      for (const key of parsed.value.keys)
        keys.push({ kid: key.kid, result: await server.importKey(db, clock, key) })
      const lines = keys.map(({ kid, result }) => `${kid} ${IMPORTED[result]}`)
      if (keys.some(({ result }) => result === 'imported')) return done(lines, { keys })
      return refused('nothing_imported', ...lines, 'Nothing was changed.')
    })
  },
}

const IMPORTED: Readonly<Record<ImportedKey, string>> = {
  imported: 'is in the public key set again, as the log describes it. It does not sign.',
  known: 'is known already.',
  not_logged:
    'is not a key of this service: its log does not name it. If the log is frozen, repair it first.',
}

/** Ends a key that must not sign any more. If it was active, a new one takes its place. */
function endKey(
  kid: string,
  word: 'revoked' | 'compromised',
  how: {
    readonly end: (keys: SigningKeys) => ReturnType<SigningKeys['compromise']>
    readonly already: string
    readonly lines: (kits: string) => readonly string[]
  },
): Operation {
  return withKeys(async (keys) => {
    const before = (await keys.list()).find((key) => key.state === 'active')
    const change = await how.end(keys)
    if (change.is === 'unchanged') return unchanged(change.key, how.already)
    if (change.is === 'refused') return refused(change.why, ...REFUSALS[change.why](kid))
    const kits = await keys.signedKits(kid)
    const { active, ended = active } = change
    const lines = [
      ...how.lines(pluralize(kits, 'kit')),
      '  Verifiers with an older copy of the key set still accept the key. Ask them to fetch it again.',
      ...(before?.kid === kid
        ? [`Active:  ${active.kid}`, `  A new key, because the ${word} one was active.`]
        : []),
    ]
    return done(lines, { [word]: toJson(ended), active: toJson(active), kits_affected: kits })
  })
}

/** `kitseal admin signing-key`. A running service applies the change within a second. */
export const run = group('signing-key', USAGE, {
  list,
  rotate,
  retire,
  revoke,
  compromise,
  import: importKeys,
})

const withKeys = (act: (keys: SigningKeys) => Promise<Shown>): Operation =>
  onStore(({ signingKeys }) =>
    act(signingKeys).catch((error: unknown) => {
      // Its message is for the operator. Anything else is a bug.
      if (!(error instanceof Error) || error.name !== 'KeyUnusable') throw error
      return refused('key_unusable', `Nothing was changed: ${error.message}.`)
    }),
  )

function describeRotation({ active, ended }: Rotation): Shown {
  const lines = [
    `Active:  ${active.kid}`,
    '  It signs new kits. A running service switches within a second.',
    ...(ended === undefined
      ? []
      : [
          `Retired: ${ended.kid}`,
          '  It stays in the public key set. Kits it signed still verify.',
          'Clients that pinned this issuer with its log follow the new key with "submit", "get" and "verify --issuer", and say so.',
          'Offline they report new kits as "sender not confirmed" (exit code 3). Without the log, run "kitseal trust add" again.',
        ]),
  ]
  return done(lines, { active: toJson(active), retired: ended === undefined ? null : toJson(ended) })
}

/** A date, or a time in UTC with seconds, that is not in the future. */
function sinceOption({ value, reject }: Input): string {
  const text = value('since')
  const match =
    text === undefined ? null : /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)Z)?$/.exec(text)
  const time = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2] ?? '00:00:00'}Z`)
  if (text === undefined) reject('--since is required: when the key may have been in other hands first')
  else if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== match?.[1])
    reject(
      `--since must be a date or a time in UTC, such as 2026-05-01 or 2026-05-01T08:30:00Z, not ${JSON.stringify(text)}`,
    )
  else if (time > Date.now()) reject('--since is in the future')
  else return new Date(time).toISOString()
  return ''
}

const REFUSALS = {
  no_such_key: (kid: string) => [
    `No signing key ${kid}.`,
    'Run "kitseal admin signing-key list" to list keys.',
  ],
  only_active_key: (kid: string) => [
    `${kid} is the only active key. Nothing was changed.`,
    'To retire it and create a new key, run "kitseal admin signing-key rotate".',
  ],
  revoked: (kid: string) => [`${kid} is revoked. This cannot be changed.`],
  not_earlier: (kid: string) => [
    `${kid} is already marked as compromised since an earlier time. Nothing was changed.`,
    'The time can only be moved back: kits that were rejected must not verify again.',
  ],
} as const

function unchanged(key: Key, text: string): Shown {
  return done([`${key.kid} ${text}`], { unchanged: toJson(key) })
}

/** Without the reference to the private key. */
function toJson(key: Key): Omit<Key, 'reference'> {
  const { reference: _, ...shown } = key
  return shown
}
