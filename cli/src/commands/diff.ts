import {
  compareKits,
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  type KitComparison,
  type Manifest,
  NO_TRUST,
  parseManifest,
  parseStrictJson,
  verifyKit,
} from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { parseArguments } from '../arguments.ts'
import { describeError, reportInputError, InputError } from '../input-error.ts'
import {
  EXIT,
  jsonText,
  writeLines,
  colors,
  printable,
  showHelp,
  type Terminal,
  usageError,
} from '../terminal.ts'

const HELP = `usage: kitseal diff OLD-KIT NEW-KIT [--all] [--json]

Lists files that were added, removed, changed or moved between two kits. First checks the files of each kit against its
manifest, but not who signed it (see "kitseal verify").

  --all    also compare generated files: reports, binder, guide
  --json   print the result as JSON

exit codes: 0 no differences; 1 differences; 2 wrong usage or a damaged kit`

/** `kitseal diff`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, flags, problems, wantsHelp } = parseArguments(args, {
    all: 'flag',
    json: 'flag',
  })
  if (wantsHelp) return showHelp(terminal, HELP)
  const [older, newer, ...more] = positionals
  if (older === undefined || newer === undefined || more.length > 0 || problems.length > 0) {
    return usageError(terminal, 'diff', positionals.length === 2 ? problems : [...problems, 'pass two kits'])
  }
  try {
    const allFiles = flags.has('all')
    const difference = compareKits(await readManifest(older), await readManifest(newer), { allFiles })
    writeLines(
      terminal.stdout,
      flags.has('json') ? [jsonText(difference)] : differenceText(difference, terminal),
    )
    const { added, removed, changed, moved } = difference
    const same = [added, removed, changed, moved].every((files) => files.length === 0)
    return same ? EXIT.ok : EXIT.fail
  } catch (error) {
    return reportInputError(error, 'diff', terminal, flags.has('json'))
  }
}

function differenceText(
  { added, removed, changed, moved, unchanged }: KitComparison,
  terminal: Terminal,
): readonly string[] {
  const style = colors(terminal)
  return [
    ...added.map(({ path }) => style.good(`added    ${printable(path)}`)),
    ...removed.map(({ path }) => style.bad(`removed  ${printable(path)}`)),
    ...changed.map(
      ({ path, from, to }) =>
        `changed  ${printable(path)}  ${from.sha256.slice(0, 12)}… → ${to.sha256.slice(0, 12)}…`,
    ),
    ...moved.map(({ from, to }) => `moved    ${printable(from)} → ${printable(to)}`),
    `${added.length} added, ${removed.length} removed, ${changed.length} changed, ${moved.length} moved, ${unchanged} unchanged`,
  ]
}

async function readManifest(path: string): Promise<Manifest> {
  try {
    using kit = await openKit(path)
    const report = await verifyKit(kit, { ...NO_TRUST, useKitKeys: true }, nodeHost)
    if (report.verdict !== 'sender_unconfirmed') throw new Error(`does not verify: ${report.errors[0]}`)
    const manifest = parseManifest(
      parseStrictJson(await kit.read(ENVELOPE.manifest, ENVELOPE_LIMIT_BYTES.manifest)),
    )
    if (!manifest.ok) throw new Error(manifest.problems.join('; '))
    return manifest.value
  } catch (error) {
    throw new InputError(`cannot compare ${path}: ${describeError(error)}`)
  }
}
