import type { ServeOptions, Store } from '@kitseal/server'
import { type Command, readCommand, USAGE_TEXT } from './admin-signing-key-arguments.ts'

export type AdminTerminal = Pick<ServeOptions, 'env' | 'stdout' | 'stderr'>

type SigningKeys = Store['signingKeys']
type Key = Awaited<ReturnType<SigningKeys['list']>>[number]

/** What is said: to a person, and to a program. */
interface Answer {
  readonly lines: readonly string[]
  readonly json: unknown
  readonly exitCode: number
}

const OK = 0
const REFUSED = 1
const USAGE = 2

/** `kitseal admin signing-key`: works on the data of a service that is running, which follows within a second. */
export async function run(args: readonly string[], terminal: AdminTerminal): Promise<number> {
  const say = (lines: readonly string[]) => terminal.stderr.write(lines.map((line) => `${line}\n`).join(''))
  const command = readCommand(args)
  if (command.is === 'help') {
    terminal.stdout.write(USAGE_TEXT)
    return OK
  }
  if (command.is === 'wrong') {
    say([...command.problems.map((text) => `kitseal admin signing-key: ${text}`), '', USAGE_TEXT.trimEnd()])
    return USAGE
  }
  const { storeProblem, hasStore, openStore, readConfig } = await import('@kitseal/server')
  const config = readConfig(terminal.env, command.data === undefined ? {} : { KITSEAL_DATA: command.data })
  if (!config.ok) {
    say(config.problems.map((text) => `kitseal admin signing-key: ${text}`))
    return USAGE
  }
  if (!hasStore(config.value)) {
    say([
      `kitseal admin signing-key: there is no data of a service in ${config.value.dataFolder}.`,
      'Name the folder with --data DIR, or start the service there once: it makes its first key itself.',
    ])
    return USAGE
  }
  let answer: Answer
  try {
    await using store = await openStore(config.value)
    answer = await answerTo(command, store.signingKeys)
  } catch (error) {
    const problem = storeProblem(error, config.value)
    if (problem === undefined) throw error
    answer = refused('store_unavailable', [`kitseal admin signing-key: ${problem}`])
  }
  if (command.json) terminal.stdout.write(`${JSON.stringify(answer.json, null, 2)}\n`)
  else if (answer.exitCode === OK) terminal.stdout.write(answer.lines.map((line) => `${line}\n`).join(''))
  else say(answer.lines)
  return answer.exitCode
}

async function answerTo(command: Command, keys: SigningKeys): Promise<Answer> {
  try {
    return await PERFORM[command.verb](keys, command)
  } catch (error) {
    // Its message is written for the operator; anything else is a fault of ours, and is thrown.
    if (!(error instanceof Error) || error.name !== 'KeyUnusable') throw error
    return refused('key_unusable', [`Nothing was changed: ${error.message}.`])
  }
}

type Perform = (keys: SigningKeys, command: Command) => Promise<Answer>

const PERFORM: Readonly<Record<Command['verb'], Perform>> = {
  async list(keys) {
    const all = await keys.list()
    return { lines: table(all), json: { keys: all.map(shown) }, exitCode: OK }
  },

  async rotate(keys) {
    const change = await keys.rotate()
    return change.is === 'done' ? rotated(change) : refused('not_rotated', ['No key was rotated.'])
  },

  async retire(keys, { kid, replace }) {
    const change = await keys.retire(kid, { replace })
    if (change.is === 'done') return rotated(change)
    if (change.is === 'unchanged') return unchanged(change.key, 'was retired before. Nothing was changed.')
    return refused(change.why, WHY_NOT_RETIRED[change.why](kid))
  },

  async revoke(keys, { kid }) {
    const before = (await keys.list()).find((key) => key.state === 'active')
    const change = await keys.revoke(kid)
    if (change.is === 'unchanged') return unchanged(change.key, 'was revoked before. Nothing was changed.')
    if (change.is === 'refused') return refused(change.why, WHY_NOT_RETIRED[change.why](kid))
    const kits = await keys.signedKits(kid)
    const replaced = before?.kid === kid
    return {
      lines: [
        `Revoked: ${kid}`,
        `  It has left the public key set: ${kits === 1 ? 'the kit' : `each of the ${kits} kits`} that it signed FAILs verification from now on, for good.`,
        '  Copies of the key set that verifiers keep still hold it until they fetch the set again: tell them.',
        ...(replaced
          ? [`Active:  ${change.active.kid}`, '  A new key, as the revoked one was the active one.']
          : []),
      ],
      json: {
        revoked: shown(change.ended ?? change.active),
        active: shown(change.active),
        kits_affected: kits,
      },
      exitCode: OK,
    }
  },
}

function rotated(change: { readonly active: Key; readonly ended: Key | undefined }): Answer {
  const { active, ended } = change
  return {
    lines: [
      `Active:  ${active.kid}`,
      '  It signs from now on; a running service follows within a second.',
      ...(ended === undefined
        ? []
        : [`Retired: ${ended.kid}`, '  It stays in the public key set: what it signed still verifies.']),
    ],
    json: { active: shown(active), retired: ended === undefined ? null : shown(ended) },
    exitCode: OK,
  }
}

const WHY_NOT_RETIRED = {
  no_such_key: (kid: string) => [
    `There is no signing key ${kid}.`,
    'See "kitseal admin signing-key list" for those that there are.',
  ],
  only_active_key: (kid: string) => [
    `${kid} is the only active key: without it nothing could be sealed. Nothing was changed.`,
    'To retire it and make a new key in one step, run "kitseal admin signing-key rotate".',
  ],
  revoked: (kid: string) => [`${kid} is revoked, which is final. Nothing was changed.`],
} as const

function unchanged(key: Key, text: string): Answer {
  return { lines: [`${key.kid} ${text}`], json: { unchanged: shown(key) }, exitCode: OK }
}

function refused(code: string, lines: readonly string[]): Answer {
  return { lines, json: { refused: code, message: lines.join(' ') }, exitCode: REFUSED }
}

function table(keys: readonly Key[]): readonly string[] {
  const rows = keys.map((key) => [
    key.kid,
    key.state,
    key.created_at,
    key.revoked_at ?? key.retired_at ?? '-',
    key.provider,
  ])
  const all = [['KID', 'STATE', 'SINCE', 'UNTIL', 'KEPT BY'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}

/** Where the private key lies is nobody's business but the provider's. */
function shown(key: Key): Omit<Key, 'reference'> {
  const { kid, x, provider, state, created_at, retired_at, revoked_at } = key
  return { kid, x, provider, state, created_at, retired_at, revoked_at }
}
