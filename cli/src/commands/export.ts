import {
  leafBytes,
  NO_TRUST,
  parseManifest,
  parseReceipt,
  receiptLeaf,
  verifyKit,
} from '@kitseal/kit/internal'
import { nodeHost, openKit, oscalResults } from '@kitseal/kit/internal/node'
import { command, type Given, oneOf, type Run, type Shown, helpText } from '../command-line.ts'
import { InputError, readOrFail } from '../input-error.ts'
import { readDocument } from '../read-documents.ts'
import { SERVICE_NOTE, SERVICE_TABLE, type ServiceCall, serviceCommand } from '../service-call.ts'
import { EXIT, printable, type Terminal } from '../terminal.ts'
import { writeOutput } from '../write-file.ts'

const OPTIONS = {
  format: 'FORMAT  cose, in-toto or oscal',
  out: 'FILE  where to write it, also -o (default: KIT_ID.cose, KIT_ID.intoto.json or KIT_ID.oscal.json in this folder); - for standard output, except for cose',
  o: 'one',
} as const

const HELP = helpText(
  `usage: kitseal export KIT_ID --format cose|in-toto|oscal [-o FILE] [--url URL] [--json]
       kitseal export KIT --format oscal [-o FILE] [--json]

Exports a kit in the format of another tool. An export does not replace the kit, and "kitseal verify" never reads one.

OPTIONS

cose is a receipt (RFC 9942) that the kit's receipt is in the transparency log, and beside it, as FILE.leaf.json, the entry of
the log that it proves. in-toto is a statement with the SHA-256 of every file, signed by the service (DSSE). oscal is OSCAL
assessment results: every file with its SHA-256, and what the output of known tools says about itself. It is not signed, and
also made offline, from a kit file or folder.

${SERVICE_NOTE}

examples:
  kitseal export kit_T1mVh0d2bXqZr8PyWkLc3sGnE4U --format cose -o receipt.cose
  kitseal export kit.zip --format oscal -o results.json

exit codes: 0 exported; 2 wrong usage, a damaged kit, or the service cannot be reached; 4 the service refused the call`,
  { ...OPTIONS, ...SERVICE_TABLE },
)

const KIT_ID = /^kit_[A-Za-z0-9_-]+$/
const EXTENSIONS = { cose: 'cose', 'in-toto': 'intoto.json', oscal: 'oscal.json' } as const
type Format = keyof typeof EXTENSIONS

const LINE = { options: OPTIONS, arguments: ['pass a kit ID, or a kit with --format oscal'] }

/** `kitseal export`. */
export const run: Run = (args, terminal) =>
  (args.some((arg) => KIT_ID.test(arg)) ? fromService : fromKit)(args, terminal)

const fromService = serviceCommand('export', HELP, {
  ...LINE,
  // A key is sent if there is one. Kits may be public.
  isPublic: () => true,
  read: (given) => {
    const { format, out } = readOptions(given)
    given.reject(format === 'cose' && out === '-' && 'cose is written to two files: pass -o FILE')
    const [kitId = ''] = given.positionals
    return (call) => exportFromService(call, { kitId, format, out })
  },
})

const fromKit = command('export', HELP, {
  ...LINE,
  read: (given) => {
    const { format, out } = readOptions(given)
    given.reject(format !== 'oscal' && `${format} needs the service: pass a kit ID (kit_…)`)
    const [path = ''] = given.positionals
    return async (terminal) => {
      const { kitId, document } = await oscalOf(path)
      return save(terminal, out ?? `${kitId}.${EXTENSIONS.oscal}`, Buffer.from(JSON.stringify(document)))
    }
  },
})

function readOptions(given: Given<keyof typeof OPTIONS>) {
  const format = oneOf(given, 'format', Object.keys(EXTENSIONS) as readonly Format[])
  given.reject(
    !given.has('format') && '--format is required: cose, in-toto or oscal',
    given.has('o') && given.has('out') && 'pass either -o or --out',
  )
  return { format: format ?? 'oscal', out: given.value('o') ?? given.value('out') }
}

async function exportFromService(
  { client, signal, terminal }: ServiceCall,
  order: { readonly kitId: string; readonly format: Format; readonly out: string | undefined },
): Promise<Shown | number> {
  const { kitId, format, out } = order
  const exported = await client.exportKit(kitId, format, { signal })
  const path = out ?? `${kitId}.${EXTENSIONS[format]}`
  const bytes = new Uint8Array(await exported.arrayBuffer())
  if (format !== 'cose') return save(terminal, path, bytes)
  // Computed from the receipt, as a verifier does.
  const receipt = await client.getReceipt(kitId, { signal })
  return save(terminal, path, bytes, leafBytes(receiptLeaf(receipt, nodeHost.digest)))
}

function save(terminal: Terminal, path: string, bytes: Uint8Array, leaf?: Uint8Array): Shown | number {
  if (path === '-') {
    terminal.stdout.write(bytes)
    return EXIT.ok
  }
  const leafPath = `${path}.leaf.json`
  if (leaf !== undefined) writeOutput(leafPath, leaf)
  writeOutput(path, bytes)
  return {
    json: { path, ...(leaf === undefined ? {} : { leaf: leafPath }) },
    out: [path, ...(leaf === undefined ? [] : [leafPath])].map((name) => `saved     ${printable(name)}`),
  }
}

/** From a kit whose files are those of its manifest. Who signed it is not looked at: the result is not signed either. */
async function oscalOf(path: string) {
  using kit = await readOrFail(path, () => openKit(path))
  const report = await verifyKit(kit, { ...NO_TRUST, useKitKeys: true }, nodeHost)
  if (report.verdict !== 'sender_unconfirmed')
    throw new InputError(`${path} does not verify: ${report.errors[0] ?? report.verdict}`)
  const manifest = await readDocument(kit, 'manifest', parseManifest)
  const receipt = await readDocument(kit, 'receipt', parseReceipt)
  const document = oscalResults({ receipt, manifest, provenance: report.provenance?.entries ?? [] })
  return { kitId: receipt.kit_id, document }
}
