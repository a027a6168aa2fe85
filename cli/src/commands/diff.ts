import {
  type Artifact,
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  type Manifest,
  NO_TRUST,
  parseManifest,
  parseStrictJson,
  verifyKit,
} from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { readArguments } from '../arguments.ts'
import { reason, sayUnreadable, UnreadableInput } from '../unreadable-input.ts'
import { EXIT, jsonText, lines, paint, plain, showHelp, type Terminal, usageError } from '../terminal.ts'

const HELP = `usage: kitseal diff OLD-KIT NEW-KIT [--all] [--json]

Shows what was added, removed and changed between the evidence of two kits. Each kit's files are checked against its
own manifest first; who signed them is not (see "kitseal verify").

  --all    compare the kits' own files too: bag, binder, reports, guide
  --json   the result as JSON

exit codes: 0 no difference, 1 a difference, 2 wrong usage or a kit that is damaged`

/** `kitseal diff`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { words, flags, problems, wantsHelp } = readArguments(args, {
    all: 'flag',
    json: 'flag',
  })
  if (wantsHelp) return showHelp(terminal, HELP)
  const [older, newer, ...more] = words
  if (older === undefined || newer === undefined || more.length > 0 || problems.length > 0) {
    return usageError(terminal, 'diff', words.length === 2 ? problems : [...problems, 'two kits are needed'])
  }
  try {
    const wanted = (path: string): boolean => flags.has('all') || path.startsWith('data/')
    const difference = compare(await readManifest(older), await readManifest(newer), wanted)
    lines(terminal.stdout, flags.has('json') ? [jsonText(difference)] : differenceText(difference, terminal))
    const same = difference.added.length + difference.removed.length + difference.changed.length === 0
    return same ? EXIT.ok : EXIT.fail
  } catch (error) {
    return sayUnreadable(error, 'diff', terminal, flags.has('json'))
  }
}

interface Difference {
  readonly added: readonly Artifact[]
  readonly removed: readonly Artifact[]
  readonly changed: readonly { readonly path: string; readonly from: Artifact; readonly to: Artifact }[]
  readonly unchanged: number
}

function compare(older: Manifest, newer: Manifest, wanted: (path: string) => boolean): Difference {
  const before = new Map(
    older.artifacts.filter(({ path }) => wanted(path)).map((artifact) => [artifact.path, artifact]),
  )
  const after = new Map(
    newer.artifacts.filter(({ path }) => wanted(path)).map((artifact) => [artifact.path, artifact]),
  )
  const both = [...before].flatMap(([path, from]) => {
    const to = after.get(path)
    return to === undefined ? [] : [{ path, from, to }]
  })
  const changed = both.filter(({ from, to }) => from.sha256 !== to.sha256)
  return {
    added: [...after.values()].filter(({ path }) => !before.has(path)),
    removed: [...before.values()].filter(({ path }) => !after.has(path)),
    changed,
    unchanged: both.length - changed.length,
  }
}

function differenceText(
  { added, removed, changed, unchanged }: Difference,
  terminal: Terminal,
): readonly string[] {
  const style = paint(terminal)
  return [
    ...added.map(({ path }) => style.good(`added    ${plain(path)}`)),
    ...removed.map(({ path }) => style.bad(`removed  ${plain(path)}`)),
    ...changed.map(
      ({ path, from, to }) =>
        `changed  ${plain(path)}  ${from.sha256.slice(0, 12)}… → ${to.sha256.slice(0, 12)}…`,
    ),
    `${added.length} added, ${removed.length} removed, ${changed.length} changed, ${unchanged} unchanged`,
  ]
}

async function readManifest(path: string): Promise<Manifest> {
  try {
    using kit = await openKit(path)
    const report = await verifyKit(kit, { ...NO_TRUST, useKitKeys: true }, nodeHost)
    if (report.status === 'FAIL') throw new Error(`it does not verify: ${report.errors[0]}`)
    const manifest = parseManifest(
      parseStrictJson(await kit.read(ENVELOPE.manifest, ENVELOPE_LIMIT_BYTES.manifest)),
    )
    if (!manifest.ok) throw new Error(manifest.problems.join('; '))
    return manifest.value
  } catch (error) {
    throw new UnreadableInput(`${path} cannot be compared: ${reason(error)}`)
  }
}
