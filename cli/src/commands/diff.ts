import {
  compareKits,
  type KitComparison,
  type Manifest,
  NO_TRUST,
  parseManifest,
  verifyKit,
} from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { command } from '../command-line.ts'
import { orInputError } from '../input-error.ts'
import { readDocument } from '../read-documents.ts'
import { EXIT, colors, printable, type Terminal } from '../terminal.ts'

const HELP = `usage: kitseal diff OLD-KIT NEW-KIT [OPTIONS]

Lists files that were added, removed, changed, renamed or moved between two kits. A file was renamed or moved if the same
bytes are at another path. First checks the files of each kit against its manifest, but not who signed it (see "kitseal
verify").

OPTIONS

exit codes: 0 no differences; 1 differences; 2 wrong usage or a damaged kit`

/** `kitseal diff`. */
export const run = command('diff', HELP, {
  options: {
    all: 'also compare generated files: reports, binder, guide',
  },
  read: ({ positionals, has, reject }) => {
    const [older = '', newer = ''] = positionals
    reject(positionals.length !== 2 && 'pass two kits')
    return async (terminal) => {
      const allFiles = has('all')
      const difference = compareKits(await readManifest(older), await readManifest(newer), { allFiles })
      const { added, removed, changed, moved } = difference
      const same = [added, removed, changed, moved].every((files) => files.length === 0)
      return {
        json: difference,
        out: differenceText(difference, terminal),
        exitCode: same ? EXIT.ok : EXIT.fail,
      }
    }
  },
})

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
    ...moved.map(({ from, to }) => `moved    ${printable(from)} → ${printable(to)}  same bytes`),
    `${added.length} added, ${removed.length} removed, ${changed.length} changed, ${moved.length} renamed or moved, ${unchanged} unchanged`,
  ]
}

/** The manifest of a kit whose files fit it. */
const readManifest = (path: string): Promise<Manifest> =>
  orInputError(`cannot compare ${path}`, async () => {
    using kit = await openKit(path)
    const report = await verifyKit(kit, { ...NO_TRUST, useKitKeys: true }, nodeHost)
    if (report.verdict !== 'sender_unconfirmed') throw new Error(`does not verify: ${report.errors[0]}`)
    return await readDocument(kit, 'manifest', parseManifest)
  })
