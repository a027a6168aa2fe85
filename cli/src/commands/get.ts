import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { canonicalJson, utf8, verdictHeading, VERDICTS } from '@kitseal/kit/internal'
import { blobSink } from '@kitseal/client'
import { kidProblems, suggestion } from '../arguments.ts'
import type { Shown } from '../command-line.ts'
import {
  confirmHint,
  TRUST_OPTIONS,
  trustLine,
  fetchKit,
  checkedSink,
  downloadSink,
  kitFileName,
} from '../download-kit.ts'
import { expiredText, STATUS_WORDS } from '../submission-result.ts'
import { InputError } from '../input-error.ts'
import { asJson } from '../read-documents.ts'
import { type TrustedKeys, readTrustedKeys } from '../trust-store.ts'
import { SERVICE_NOTE, type ServiceCall, serviceCommand } from '../service-call.ts'
import { EXIT, printable } from '../terminal.ts'
import { transferProgress } from '../progress.ts'
import { writeOutput } from '../write-file.ts'

const HELP = `usage: kitseal get SUBMISSION|KIT [NAME] [OPTIONS]

Downloads the kit of a submission and verifies it before saving it. With NAME, downloads another deliverable instead,
and checks its SHA-256; "kitseal status SUBMISSION" lists them. For a kit ID, NAME is kit.zip, manifest.json or
receipt.json, and no API key is needed for receipt.json, or if the workspace's kits are public.

OPTIONS

${SERVICE_NOTE}

examples:
  kitseal get sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E
  kitseal get sub_5wYvRk1oUxw2HcAjZ0pQdKfNs4E binder.pdf
  kitseal get kit_T1mVh0d2bXqZr8PyWkLc3sGnE4U receipt.json --out -

exit codes: 0 downloaded, and a kit verified; 1 the kit did not verify; 2 wrong usage or the service cannot be reached;
3 the kit is intact, but its sender is not confirmed; 4 the service refused the call`

interface Order {
  readonly id: string
  readonly name: string | undefined
  readonly out: string
  readonly keys: TrustedKeys
}

const KIT = 'kit.zip'
const NO_KEYS: TrustedKeys = { keySets: [], kids: [], pins: [], logs: [] }

/** `kitseal get`. */
export const run = serviceCommand('get', HELP, {
  options: {
    out: 'FILE|DIR  where to save it (default: this folder); - for standard output, except for a kit',
    ...TRUST_OPTIONS,
  },
  arguments: ['pass a submission ID or a kit ID', undefined],
  isPublic: ({ positionals: [id = ''] }) => id.startsWith('kit_'),
  input: async ({ positionals: [, name = KIT], values }, terminal) =>
    name === KIT ? await readTrustedKeys(values('jwks'), values('kid'), terminal) : NO_KEYS,
  read: ({ positionals: [id = '', name], value, values, has, reject }) => {
    const isKit = name === undefined || name === KIT
    reject(
      id !== '' &&
        !/^(sub|kit)_[A-Za-z0-9_-]+$/.test(id) &&
        `${JSON.stringify(id)} is not a submission ID (sub_…) or kit ID (kit_…)`,
      ...kidProblems(values('kid')),
      !isKit && (has('jwks') || has('kid')) && '--jwks and --kid apply only to kits',
    )
    return (call, keys) => {
      const order = { id, name, out: value('out') ?? '.', keys }
      return id.startsWith('kit_') ? getFromKit(call, order) : getFromSubmission(call, order)
    }
  },
})

const DOCUMENTS = ['manifest.json', 'receipt.json'] as const

async function getFromKit(call: ServiceCall, order: Order): Promise<Shown | number> {
  const { client, signal, terminal } = call
  const { id, name = KIT } = order
  if (name === KIT) return saveKit(call, id, order)
  if (name !== DOCUMENTS[0] && name !== DOCUMENTS[1]) throw unknownName(id, name, [KIT, ...DOCUMENTS])
  const document =
    name === 'receipt.json'
      ? await client.getReceipt(id, { signal })
      : await client.getManifest(id, { signal })
  // The same bytes as in the kit.
  const bytes = utf8(canonicalJson(asJson(document)))
  if (order.out === '-') {
    terminal.stdout.write(bytes)
    return EXIT.ok
  }
  const path = outputPath(order.out, name)
  writeOutput(path, bytes)
  return saved(path)
}

async function getFromSubmission(call: ServiceCall, order: Order): Promise<Shown | number> {
  const { client, signal, terminal } = call
  const submission = await client.getSubmission(order.id, { signal })
  const names = Object.keys(submission.deliverables)
  const { name = KIT } = order
  if (!names.includes(name)) {
    if (names.length === 0) throw new InputError(`${order.id} is not sealed yet. Nothing to download.`)
    if (submission.status === 'EXPIRED')
      throw new InputError(`${expiredText(submission)} Available: ${names.join(', ')}`)
    if (order.name === undefined)
      throw new InputError(
        `${order.id} has no kit: ${STATUS_WORDS[submission.status].toLowerCase()}. Available: ${names.join(', ')}`,
      )
    throw unknownName(order.id, name, names)
  }
  if (name === KIT) return saveKit(call, submission.kit_id ?? '', order)
  const { data: deliverables } = await client.listDeliverables(order.id, { signal })
  const sha256 = deliverables.find((each) => each.name === name)?.sha256 ?? null
  if (order.out === '-') {
    const content = await client.getDeliverable(order.id, name, {
      signal,
      into: checkedSink(blobSink(), name, sha256),
    })
    terminal.stdout.write(new Uint8Array(await content.arrayBuffer()))
    return EXIT.ok
  }
  const path = outputPath(order.out, basename(name))
  const progress = transferProgress(terminal, 'downloading')
  try {
    const into = checkedSink(downloadSink(path), name, sha256)
    await client.getDeliverable(order.id, name, { signal, into, onProgress: progress.at })
  } finally {
    progress.clear()
  }
  return saved(path)
}

async function saveKit(call: ServiceCall, kitId: string, order: Order): Promise<Shown | number> {
  if (order.out === '-')
    throw new InputError(
      'a kit cannot be written to standard output, because it is verified before it is saved',
    )
  const path = outputPath(order.out, kitFileName(kitId))
  const { report, trust } = await fetchKit(call, { kitId, path, keys: order.keys })
  if (report.status === 'FAIL')
    return {
      json: { verification: report },
      err: [
        ...report.errors.map((text) => `  - ${printable(text)}`),
        `kitseal get: ${kitId} was not saved: ${verdictHeading(report).replace(/\.$/, '')}.`,
        ...confirmHint(trust, report),
      ],
      exitCode: VERDICTS[report.verdict].exitCode,
    }
  return {
    json: { path, keys: trust.keys, verification: report },
    out: [...saved(path).out, `verified  ${trustLine(trust, report, call.url)}`, report.boundary],
  }
}

function unknownName(id: string, name: string, names: readonly string[]): InputError {
  const hint = suggestion(name, names) || `. Available: ${names.join(', ')}`
  return new InputError(`${id} has no ${JSON.stringify(name)}${hint}`)
}

/** `out` if it is a file name, or `name` in the folder `out`. */
function outputPath(out: string, name: string): string {
  const path = existsSync(out) && statSync(out).isDirectory() ? join(out, name) : out
  if (existsSync(path)) throw new InputError(`${path} already exists. Choose another name with --out.`)
  return path
}

const saved = (path: string) => ({ json: { path }, out: [`saved     ${printable(path)}`] })
