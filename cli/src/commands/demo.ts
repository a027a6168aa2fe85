import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@kitseal/client'
import { fileSink } from '@kitseal/client/node'
import { formatBytes, NO_TRUST, type Trust, verifyKit } from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import type { Service } from '@kitseal/server'
import { command } from '../command-line.ts'
import { gatherEvidence } from '../gather-evidence.ts'
import { Interrupted, interruptSignal } from '../interruption.ts'
import { tempFolderError } from '../input-error.ts'
import { reverseDecision, SAMPLE_TARGET, writeSampleEvidence } from '../sample-evidence.ts'
import { ATTEMPTS, repackKit, unpackKit } from '../tamper.ts'
import { EXIT, jsonText, writeLines, colors, type Colors, printable, type Terminal } from '../terminal.ts'

const HELP = `usage: kitseal demo [--json]

Shows how kitseal works, in a few seconds: starts a service in a temp folder, submits sample evidence, downloads and
verifies the kit, then tampers with it in six ways and shows how each is detected. Everything is deleted at the end.

  --json          print the result as JSON, and the steps on standard error

example:
  kitseal demo

exit codes: 0 success; 1 tampering was not detected; 130 interrupted`

/** `kitseal demo`. */
export const run = command('demo', HELP, {
  arguments: [],
  read:
    ({ json }) =>
    async (terminal) => {
      using interrupt = interruptSignal()
      let folder: string | undefined
      try {
        folder = mkdtempSync(join(tmpdir(), 'kitseal-demo-'))
        return await demo(folder, interrupt.signal, json, terminal)
      } catch (error) {
        if (folder === undefined || isDiskError(error)) throw tempFolderError(error)
        if (!(error instanceof Interrupted)) throw error
        writeLines(terminal.stderr, ['', 'Interrupted. All files were deleted.'])
        return error.exitCode
      } finally {
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      }
    },
})

function isDiskError(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return (
    typeof code === 'string' &&
    /^(?:SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|EFBIG|EDQUOT|EROFS|EACCES)/.test(code)
  )
}

async function demo(folder: string, signal: AbortSignal, json: boolean, terminal: Terminal): Promise<number> {
  const style = colors(terminal)
  const say = (...texts: readonly string[]): void =>
    writeLines(json ? terminal.stderr : terminal.stdout, texts)
  const step = stepper(say, style)

  say('', style.strong('1. From evidence to a verified kit'), '')
  await using service = await startService(join(folder, 'data'))
  step('service', `${service.address}, in a temp folder`)
  signal.throwIfAborted()

  const path = join(folder, 'kit.zip')
  const { trust, report } = await makeKit(service, folder, path, signal, step)
  const checks = report.checks.filter(({ result }) => result !== 'not_run')
  const passed = checks.filter(({ result }) => result === 'pass').length
  step('verified', `${passed} of ${checks.length} checks passed, pinned key ${report.signer.kid}`)

  say('', style.strong('2. Six attempts to tamper with a copy of the kit'), '')
  const caught = await attempts(path, trust, signal, say, style)
  const total = ATTEMPTS.length
  say(
    '',
    caught === total
      ? `${style.good(style.strong('All six were detected.'))} The original kit is still ${style.good('verified')}.`
      : style.bad(style.strong(`Only ${caught} of ${total} were detected. This verifier is broken.`)),
    style.faint(report.boundary),
    '',
    'All files were deleted. Next: start a service with "kitseal serve", then run "kitseal submit".',
  )
  const status = caught === total ? 'PASS' : 'FAIL'
  if (json) writeLines(terminal.stdout, [jsonText({ status, attempts: total, detected: caught })])
  return caught === total ? EXIT.ok : EXIT.fail
}

type Step = (name: string, text: string) => void

const stepper =
  (say: (text: string) => void, style: Colors): Step =>
  (name, text) =>
    say(`  ${style.faint(name.padEnd(10))} ${text}`)

async function startService(dataFolder: string): Promise<Service> {
  const { readConfig, startService: start } = await import('@kitseal/server')
  const config = readConfig({
    KITSEAL_DATA: dataFolder,
    KITSEAL_PORT: '0',
    KITSEAL_METRICS_LISTEN: 'off',
    KITSEAL_LOG_LEVEL: 'silent',
  })
  if (!config.ok) throw new Error(config.problems.join(' '))
  return start(config.value, { log: { write: () => true } })
}

async function makeKit(service: Service, folder: string, path: string, signal: AbortSignal, step: Step) {
  const client = createClient({ baseUrl: service.address, apiKey: service.firstApiKey })
  const evidence = join(folder, 'evidence')
  writeSampleEvidence(evidence)
  const files = await gatherEvidence([evidence])
  const { submission_id } = await client.createSubmission({ label: 'Third quarter' }, { signal })
  await client.uploadEvidence(submission_id, files, { signal })
  step(
    'evidence',
    `${files[0]?.packedFiles} files, ${formatBytes(files[0]?.sizeBytes ?? 0)}, uploaded as ${submission_id}`,
  )
  const submission = await client.waitForResult(submission_id, { signal, timeoutMs: Infinity })
  if (submission.kit_id === null)
    throw new Error(`the sample ended as ${submission.status}: ${JSON.stringify(submission.blockers)}`)
  step('sealed', `${submission.kit_id}, with manifest, receipt, binder and a verifier page`)
  // The trusted key must not come from the kit. Here it comes from the operator of the service.
  const trust: Trust = { ...NO_TRUST, kids: [(await service.signingKeys.activeSigner()).kid] }
  const { report } = await client.downloadKit(submission.kit_id, { trust, signal, into: fileSink(path) })
  return { trust, report }
}

/** Makes every attempt, verifies the result and prints the error. Returns how many were detected. */
async function attempts(
  path: string,
  trust: Trust,
  signal: AbortSignal,
  say: (...texts: readonly string[]) => void,
  style: Colors,
): Promise<number> {
  using original = await openKit(path)
  const kit = await unpackKit(original)
  const target = {
    path: [...kit.files.keys()].find((name) => name.endsWith(SAMPLE_TARGET)) ?? '',
    change: reverseDecision,
  }
  const untouched = await verifyKit(await repackKit(kit.files, kit), trust, nodeHost)
  if (untouched.status !== 'PASS')
    throw new Error(`an unchanged copy does not pass: ${untouched.errors.join('; ')}`)
  let caught = 0
  for (const { title, caughtBy, tamper } of ATTEMPTS) {
    signal.throwIfAborted()
    const forged = await repackKit(await tamper(kit, target), kit)
    const { status, errors } = await verifyKit(forged, trust, nodeHost)
    const found = errors.find((error) => error.startsWith(`${caughtBy}: `))
    const isCaught = status === 'FAIL' && found !== undefined
    if (isCaught) caught++
    const message = found ?? `${status}, without ${caughtBy}`
    say(
      `  ${isCaught ? style.good('detected') : style.bad('MISSED  ')}  ${title}`,
      style.faint(`            ${printable(message)}`),
    )
  }
  return caught
}
