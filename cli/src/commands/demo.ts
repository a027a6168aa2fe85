import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@kitseal/client'
import { fileSink } from '@kitseal/client/node'
import { formatBytes, NO_TRUST, type Trust, verifyKit } from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import type { Service } from '@kitseal/server'
import { readArguments } from '../arguments.ts'
import { gatherEvidence } from '../gather-evidence.ts'
import { Interrupted, interruption } from '../interruption.ts'
import { reason } from '../unreadable-input.ts'
import { kept, SAMPLE_TARGET, writeSampleEvidence } from '../sample-evidence.ts'
import { ATTEMPTS, packAgain, takeApart } from '../tamper.ts'
import { EXIT, lines, paint, type Paint, plain, showHelp, type Terminal, usageError } from '../terminal.ts'

const HELP = `usage: kitseal demo

Shows the whole of it once, in a few seconds: starts a service in a folder of its own, submits a sample, fetches the kit
and verifies it, then tampers with the kit in six ways and shows how each is caught. Leaves nothing behind.

example:
  kitseal demo

exit codes: 0 all went as it should; 1 something that should have been caught was not; 130 interrupted`

/** `kitseal demo`. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { words, problems, wantsHelp } = readArguments(args, {})
  if (wantsHelp) return showHelp(terminal, HELP)
  const wrong = [...problems, ...words.map((word) => `${JSON.stringify(word)} is one argument too many`)]
  if (wrong.length > 0) return usageError(terminal, 'demo', wrong)
  using interrupt = interruption()
  let folder: string
  try {
    folder = mkdtempSync(join(tmpdir(), 'kitseal-demo-'))
  } catch (error) {
    return noPlace(error, terminal)
  }
  try {
    return await demo(folder, interrupt.signal, terminal)
  } catch (error) {
    if (isOfDisk(error)) return noPlace(error, terminal)
    if (!(error instanceof Interrupted)) throw error
    lines(terminal.stderr, ['', 'Interrupted. Nothing was left behind.'])
    return error.exitCode
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function isOfDisk(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return (
    typeof code === 'string' &&
    /^(?:SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|EFBIG|EDQUOT|EROFS|EACCES)/.test(code)
  )
}

function noPlace(error: unknown, { stderr }: Terminal): number {
  const why = `${plain(tmpdir())} cannot be written to: ${reason(error)}`
  lines(stderr, [`kitseal demo: ${why}; name another folder with TMPDIR`])
  return EXIT.usage
}

async function demo(folder: string, signal: AbortSignal, terminal: Terminal): Promise<number> {
  const style = paint(terminal)
  const say = (...texts: readonly string[]): void => lines(terminal.stdout, texts)
  const step = stepper(say, style)

  say('', style.strong('1. From evidence to a kit that anyone can check'), '')
  await using service = await startService(join(folder, 'data'))
  step('a service', `${service.address}, in a folder of its own`)
  signal.throwIfAborted()

  const path = join(folder, 'kit.zip')
  const { trust, report } = await makeKit(service, folder, path, signal, step)
  const passed = report.checks.filter(({ result }) => result === 'pass').length
  step(
    'verified',
    `${style.good('PASS')}, ${passed} of ${report.checks.length} guarantees hold; pinned key ${report.signer.kid}`,
  )

  say('', style.strong('2. Six attempts to pass off something else, each on a copy'), '')
  const caught = await attempts(path, trust, signal, say, style)
  const total = ATTEMPTS.length
  say(
    '',
    caught === total
      ? `${style.good(style.strong('All six were caught.'))} The kit itself is still ${style.good('PASS')}.`
      : style.bad(style.strong(`Only ${caught} of ${total} were caught: this verifier is broken.`)),
    style.faint(report.boundary),
    '',
    'Nothing was left behind. To go on: kitseal serve, then kitseal submit.',
  )
  return caught === total ? EXIT.ok : EXIT.fail
}

type Step = (name: string, text: string) => void

const stepper =
  (say: (text: string) => void, style: Paint): Step =>
  (name, text) =>
    say(`  ${style.faint(name.padEnd(10))} ${text}`)

async function startService(dataFolder: string): Promise<Service> {
  const { readConfig, startService: start } = await import('@kitseal/server')
  const config = readConfig({ KITSEAL_DATA: dataFolder, KITSEAL_PORT: '0', KITSEAL_LOG_LEVEL: 'silent' })
  if (!config.ok) throw new Error(config.problems.join(' '))
  return start(config.value, { log: { write: () => true } })
}

async function makeKit(service: Service, folder: string, path: string, signal: AbortSignal, step: Step) {
  const client = createClient({ baseUrl: service.address, apiKey: service.firstApiKey })
  const evidence = join(folder, 'evidence')
  writeSampleEvidence(evidence)
  const files = gatherEvidence([evidence])
  const { submission_id } = await client.createSubmission({ label: 'Third quarter' }, { signal })
  await client.uploadEvidence(submission_id, files, { signal })
  step(
    'evidence',
    `${files[0]?.packedFiles} files, ${formatBytes(files[0]?.sizeBytes ?? 0)}, sent as ${submission_id}`,
  )
  const submission = await client.waitForResult(submission_id, { signal })
  if (submission.kit_id === null)
    throw new Error(`the sample came to ${submission.status}: ${JSON.stringify(submission.blockers)}`)
  step('sealed', `${submission.kit_id}, with manifest, receipt, binder and a verifier page`)
  // As in life: the key is known from elsewhere than the kit. Here, from the operator of the service.
  const trust: Trust = { ...NO_TRUST, kids: [(await service.signingKeys.activeSigner()).kid] }
  const { report } = await client.downloadKit(submission.kit_id, { trust, signal, into: fileSink(path) })
  return { trust, report }
}

/** Tampers in every way, verifies, and shows the verifier's own words. Returns how many were caught. */
async function attempts(
  path: string,
  trust: Trust,
  signal: AbortSignal,
  say: (...texts: readonly string[]) => void,
  style: Paint,
): Promise<number> {
  using original = await openKit(path)
  const kit = await takeApart(original)
  const target = {
    path: [...kit.files.keys()].find((name) => name.endsWith(SAMPLE_TARGET)) ?? '',
    change: kept,
  }
  const untouched = await verifyKit(await packAgain(kit.files, kit), trust, nodeHost)
  if (untouched.status !== 'PASS') throw new Error(`a copy does not pass: ${untouched.errors.join('; ')}`)
  let caught = 0
  for (const { title, caughtBy, tamper } of ATTEMPTS) {
    signal.throwIfAborted()
    const forged = await packAgain(await tamper(kit, target), kit)
    const { status, errors } = await verifyKit(forged, trust, nodeHost)
    const words = errors.find((error) => error.startsWith(`${caughtBy}: `))
    const isCaught = status === 'FAIL' && words !== undefined
    if (isCaught) caught++
    const said = words ?? `${status}, without ${caughtBy}`
    say(
      `  ${isCaught ? style.good('caught') : style.bad('MISSED')}  ${title}`,
      style.faint(`          ${plain(said)}`),
    )
  }
  return caught
}
