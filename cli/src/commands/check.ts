import { existsSync } from 'node:fs'
import { BOUNDARY, comparePaths, formatBytes } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type * as EvidenceRules from '@kitseal/evidence/node'
import { readArguments, suggestion } from '../arguments.ts'
import { type Blocker, blockerTable } from '../blocker-table.ts'
import { findEvidence, type GatheredFile, type Unpackable } from '../gather-evidence.ts'
import { reading, sayUnreadable, UnreadableInput } from '../unreadable-input.ts'
import { readSmallFile } from '@kitseal/kit/node'
import { scratchFolder } from '../scratch-folder.ts'
import { counted, EXIT, jsonText, lines, paint, showHelp, type Terminal, usageError } from '../terminal.ts'

const HELP = `usage: kitseal check PATH… [--profile NAME|FILE] [--json]

Holds evidence against the rules of the service before anything is sent: every blocker at once, offline. What passes
here passes there, unless the service has other limits, or looks for viruses too. A path is what "kitseal submit" takes.

  --profile NAME|FILE   what the evidence must contain: a profile that comes with kitseal, or a file that holds one
  --json                the result as JSON

examples:
  kitseal check evidence
  kitseal check report.pdf access-review.xlsx
  kitseal check evidence --profile access-review

exit codes: 0 no blocker; 1 blockers; 2 wrong usage, or input that cannot be read`

/** `kitseal check`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = { profile: 'one', json: 'flag' } as const
  const { words, flags, values, problems, wantsHelp } = readArguments(args, options)
  if (wantsHelp) return showHelp(terminal, HELP)
  const wrong = [
    ...problems,
    ...(words.length === 0 ? ['what is to be checked? Name files, folders or a zip'] : []),
  ]
  if (wrong.length > 0) return usageError(terminal, 'check', wrong)
  try {
    const files = findEvidence(words)
    const blockers = await check(files, values.get('profile')?.[0])
    if (flags.has('json')) {
      const status = blockers.length === 0 ? 'PASS' : 'FAIL'
      lines(terminal.stdout, [jsonText({ status, blockers })])
    } else lines(terminal.stdout, resultText(files, blockers, terminal))
    return blockers.length === 0 ? EXIT.ok : EXIT.fail
  } catch (error) {
    return sayUnreadable(error, 'check', terminal, flags.has('json'))
  }
}

async function check(
  files: readonly GatheredFile[],
  profileName: string | undefined,
): Promise<readonly Blocker[]> {
  // The rules and the parsers that they need; nothing that listens or stores.
  const evidence = await import('@kitseal/evidence/node')
  const profile = profileName === undefined ? undefined : await readProfile(profileName, evidence)
  using scratch = scratchFolder()
  const opened = files.map((file) => ({ name: file.name, source: file.open() }))
  try {
    const platform = { host: nodeHost, inflate: evidence.zlibInflate, store: scratch.store }
    const order = {
      files: opened,
      now: new Date().toISOString(),
      ...(profile === undefined ? {} : { profile }),
    }
    const { blockers } = await evidence.checkFiles(platform, order)
    const unpackable = files
      .flatMap((file) => file.unpackable ?? [])
      .map(({ is, path }) => evidence.blocker(path, UNPACKABLE[is]))
    const all = [...tooLarge(files, evidence.DEFAULT_UPLOAD_BYTES), ...blockers, ...unpackable]
    return all.toSorted(
      (a, b) => Number(isRest(a)) - Number(isRest(b)) || comparePaths(placeOf(a), placeOf(b)),
    )
  } finally {
    for (const { source } of opened) source[Symbol.dispose]()
  }
}

/** The one that says how many more there are stands behind those that are listed. */
const isRest = ({ code }: Blocker): boolean => code === 'more_blockers'
const placeOf = ({ path }: Blocker): string => path ?? ''

/** What a service refuses before it looks at any of it, by the code that it has for that. */
function tooLarge(files: readonly GatheredFile[], limitBytes: number): readonly Blocker[] {
  const sizeBytes = totalBytes(files)
  if (sizeBytes <= limitBytes) return []
  const message = `It is ${formatBytes(sizeBytes)}, larger than the ${limitBytes} bytes that a service takes in one submission where its plan does not say otherwise.`
  const remedy =
    'Pack it as a ZIP, split it over several submissions, or ask the operator of the service for a larger plan.'
  return [{ code: 'upload_too_large', path: null, message, remedy }]
}

function totalBytes(files: readonly GatheredFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** What a service says of the same in an archive. */
const UNPACKABLE: Readonly<Record<Unpackable['is'], EvidenceRules.Finding>> = {
  link: { code: 'link' },
  special: { code: 'special_file' },
  not_utf8: { code: 'name_not_unicode', detail: 'a name that is not UTF-8' },
}

async function readProfile(name: string, rules: typeof EvidenceRules): Promise<EvidenceRules.Profile> {
  const builtIn = builtInProfiles(rules)
  const known = builtIn.get(name)
  if (known !== undefined) return known
  const names = [...builtIn.keys()]
  if (!existsSync(name)) {
    const hint = suggestion(name, names) || `; there is ${names.join(', ')}`
    throw new UnreadableInput(`there is no profile ${JSON.stringify(name)}${hint}`)
  }
  const parsed = rules.parseProfile(
    await reading(`the profile ${name}`, () => readSmallFile(name, { what: 'a profile', limitMiB: 1 })),
  )
  if (parsed.ok) return parsed.value
  throw new UnreadableInput(`${name} is no profile: ${parsed.problems.join('; ')}`)
}

/** Set where everything is built into one file: the profiles as a list of JSON texts. */
declare const KITSEAL_PROFILES: string | undefined

function builtInProfiles({
  loadProfiles,
  parseProfile,
}: typeof EvidenceRules): ReadonlyMap<string, EvidenceRules.Profile> {
  if (typeof KITSEAL_PROFILES !== 'string') return loadProfiles()
  const profiles = new Map<string, EvidenceRules.Profile>()
  for (const text of JSON.parse(KITSEAL_PROFILES) as readonly string[]) {
    const parsed = parseProfile(Buffer.from(text))
    if (parsed.ok) profiles.set(parsed.value.profile, parsed.value)
  }
  return profiles
}

function resultText(
  files: readonly GatheredFile[],
  blockers: readonly Blocker[],
  terminal: Terminal,
): readonly string[] {
  const style = paint(terminal)
  const count = files.reduce((sum, { packedFiles = 1 }) => sum + packedFiles, 0)
  const size = formatBytes(totalBytes(files))
  const what = `${counted(count, 'file')}, ${size}`
  if (blockers.length === 0)
    return [
      `${style.good(style.strong('PASS'))}  ${what}: nothing stands against sending this.`,
      style.faint(NOTHING_SENT),
    ]
  return [
    ...blockerTable(blockers, terminal),
    '',
    `${style.bad(style.strong('FAIL'))}  ${what}: ${counted(blockers.length, 'blocker')}. A service would issue no kit.`,
    style.faint(NOTHING_SENT),
  ]
}

const NOTHING_SENT = `Nothing was sent. ${BOUNDARY}`
