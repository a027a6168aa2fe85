import { readdirSync, statSync } from 'node:fs'
import {
  ENVELOPE,
  NO_TRUST,
  type Trust,
  unreadableKit,
  type VerificationReport,
  verifyKit,
} from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { kidProblems, readArguments } from '../arguments.ts'
import { progressLine } from '../progress-line.ts'
import { reading, sayUnreadable, UnreadableInput } from '../unreadable-input.ts'
import { readersKeys } from '../readers-keys.ts'
import { type Claims, claimsOfKit } from '../claims.ts'
import { reportText } from '../report-text.ts'
import { EXIT, jsonText, lines, showHelp, type Terminal, usageError } from '../terminal.ts'

const HELP = `usage: kitseal verify KIT [--jwks FILE|URL]… [--kid KID]… [--use-kit-keys] [--json]
       kitseal verify FILE PROOF [the same options]

Checks a kit, as a zip or as an unpacked folder, or one file with its proof. Offline: no network call is made,
unless --jwks is given an address.

  --jwks FILE|URL   the issuer's public key set; may be given several times
  --kid KID         the key that you know to be the issuer's; may be given several times
  --use-kit-keys    check integrity alone, with the key that came with the kit: says nothing about who made it
  --json            the result as JSON

Without any of the three, the keys that you have pinned with "kitseal trust add" count.

examples:
  kitseal verify kit.zip --jwks https://issuer.example/.well-known/jwks.json
  kitseal verify kit.zip --kid AbRMUOHoS_NztJ3fk_UfIGjXN1rg-lCmOLE_YxWE4xo
  kitseal verify report.pdf report.pdf.proof.json --jwks jwks.json

exit codes: 0 PASS, 1 FAIL, 2 wrong usage or input that cannot be read`

/** `kitseal verify`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = {
    jwks: 'many',
    kid: 'many',
    'use-kit-keys': 'flag',
    json: 'flag',
  } as const
  const { words, flags, values, problems, wantsHelp } = readArguments(args, options)
  if (wantsHelp) return showHelp(terminal, HELP)
  const [path, proof, ...more] = words
  const anchors = (values.get('jwks')?.length ?? 0) + (values.get('kid')?.length ?? 0)
  const wrong = [
    ...problems,
    ...(path === undefined ? ['which kit? Name a kit.zip or an unpacked folder'] : []),
    ...more.map((word) => `${JSON.stringify(word)} is one argument too many`),
    ...kidProblems(values.get('kid') ?? []),
    ...(flags.has('use-kit-keys') && anchors > 0
      ? ['--use-kit-keys cannot stand beside --jwks or --kid']
      : []),
  ]
  if (path === undefined || wrong.length > 0) return usageError(terminal, 'verify', wrong)
  try {
    const trust: Trust = flags.has('use-kit-keys')
      ? { ...NO_TRUST, useKitKeys: true }
      : { ...NO_TRUST, ...(await readersKeys(values.get('jwks') ?? [], values.get('kid') ?? [], terminal)) }
    const { report, claims } =
      proof === undefined ? await checkKit(path, trust, terminal) : await checkProof(path, proof, trust)
    if (flags.has('json')) lines(terminal.stdout, [jsonText(report)])
    else lines(terminal.stdout, reportText(report, claims, terminal))
    return report.status === 'PASS' ? EXIT.ok : EXIT.fail
  } catch (error) {
    return sayUnreadable(error, 'verify', terminal, flags.has('json'))
  }
}

interface Checked {
  readonly report: VerificationReport
  readonly claims: Claims | undefined
}

async function checkKit(path: string, trust: Trust, terminal: Terminal): Promise<Checked> {
  const isKit = await reading(path, () => !statSync(path).isDirectory() || mayBeKit(path))
  if (!isKit) {
    const problem = `${path} holds neither manifest.json nor receipt.json: name the folder that the kit's files are in`
    return { report: await verifyKit(unreadableKit(problem), trust, nodeHost), claims: undefined }
  }
  const progress = progressLine(terminal)
  using kit = await reading(path, () => openKit(path, { onProgress: progress.done }))
  progress.expect(kit.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  const claims = await claimsOfKit(kit)
  const report = await verifyKit(kit, trust, nodeHost)
  progress.clear()
  return { report, claims }
}

function mayBeKit(folder: string): boolean {
  return readdirSync(folder).some((name) => name === ENVELOPE.manifest || name === ENVELOPE.receipt)
}

async function checkProof(path: string, proofPath: string, trust: Trust): Promise<Checked> {
  if (await reading(path, () => statSync(path).isDirectory()))
    throw new UnreadableInput(`${path} is a folder: a proof is for one file`)
  const { verifyProofFile } = await import('../verify-proof-file.ts')
  return verifyProofFile(path, proofPath, trust)
}
