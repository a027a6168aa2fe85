import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { type Trust, verifyKit } from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { command } from '../command-line.ts'
import {
  ANN,
  type DemoWorld,
  makeDemoWorld,
  reverseDecision,
  SAMPLE_TARGET,
  type DemoService,
  saveKits,
  startDemoService,
} from './demo-world.ts'
import { Interrupted, interruptSignal } from '../interruption.ts'
import { tempFolderError } from '../input-error.ts'
import { ATTEMPTS, repackKit, unpackKit } from '../tamper.ts'
import { EXIT, jsonText, writeLines, colors, type Colors, printable, type Terminal } from '../terminal.ts'
import { spawn } from 'node:child_process'
import { platform, type Platform } from '@kitseal/kit/internal/node'

const HELP = `usage: kitseal demo [OPTIONS]

Opens a small finished world in your browser: a workspace with a program of two quarters, one sealed and one in progress, a
request to a supplier, a room for an auditor, and a kit to break. Before that, it verifies the kit, tampers with copies of it
in six ways, and shows how each is detected. Everything is in a temp folder and is deleted when you press Ctrl+C.

Without a terminal, and with --json, it ends after the attempts to tamper.

OPTIONS

example:
  kitseal demo

exit codes: 0 success; 1 tampering was not detected; 130 interrupted before the world was ready`

/** `kitseal demo`. */
export const run = command('demo', HELP, {
  options: {
    json: 'print the result as JSON, and the steps on standard error',
  },
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
  await using demonstration = await startDemoService(join(folder, 'data'))
  const { service } = demonstration
  step('service', `${service.address}, in a temp folder`)
  signal.throwIfAborted()
  const world = await makeDemoWorld(service, signal)
  step('program', `two quarters: ${world.period} is sealed, the next one is in progress`)
  step('request', 'a supplier has sent one of three documents')
  step('room', 'an auditor has asked a question')

  const { path, changed, trust, report } = await saveKits(service, world, folder, signal)
  const checks = report.checks.filter(({ result }) => result !== 'not_run')
  const passed = checks.filter(({ result }) => result === 'pass').length
  step('kit', `${world.kitId}: ${passed} of ${checks.length} checks passed, pinned key ${report.signer.kid}`)

  say('', style.strong('2. Six attempts to tamper with a copy of the kit'), '')
  const caught = await attempts(path, trust, signal, say, style)
  const total = ATTEMPTS.length
  const isCaught = caught === total
  say(
    '',
    isCaught
      ? `${style.good(style.strong('All six were detected.'))} The original kit is still ${style.good('verified')}.`
      : style.bad(style.strong(`Only ${caught} of ${total} were detected. This verifier is broken.`)),
    style.faint(report.boundary),
    '',
  )
  if (json)
    writeLines(terminal.stdout, [
      jsonText({ status: isCaught ? 'PASS' : 'FAIL', attempts: total, detected: caught }),
    ])
  if (isCaught && !json && terminal.stdout.isTTY === true)
    await show(demonstration, world, [path, changed], signal, terminal)
  say('All files were deleted. Next: start a service with "kitseal serve", then run "kitseal submit".')
  return isCaught ? EXIT.ok : EXIT.fail
}

/** Prints where to look, opens the browser, and waits for Ctrl+C. */
async function show(
  { service, signInLink }: DemoService,
  world: DemoWorld,
  kits: readonly string[],
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  const style = colors(terminal)
  const say = (...texts: readonly string[]): void => writeLines(terminal.stdout, texts)
  const step = stepper(say, style)
  if (!(await fetch(`${service.address}/verify`, { signal })).ok) {
    say('The web pages are not built, so there is nothing to open. In a checkout, run "npm run demo".', '')
    return
  }
  const signIn = await signInLink()
  const site = new URL(signIn).origin
  say(style.strong('3. Look around'), '')
  step('sign in', signIn)
  step('', style.faint(`as ${ANN.name}, with "Sign in once without a passkey"`))
  step('program', `${site}/console/programs/${world.programId}`)
  step('supplier', world.request)
  step('auditor', world.room)
  step('verify', `${site}/verify`)
  step('', style.faint('Drop these on the page. In the second, one byte was changed:'))
  for (const kit of kits) step('', kit)
  say('', 'Press Ctrl+C to end the demo and to delete everything.')
  openBrowser(signIn, terminal.env)
  if (!signal.aborted) await once(signal, 'abort')
  say('')
}

type Step = (name: string, text: string) => void

const stepper =
  (say: (text: string) => void, style: Colors): Step =>
  (name, text) =>
    say(`  ${style.faint(name.padEnd(10))} ${text}`)

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

type Environment = Readonly<Record<string, string | undefined>>

/** The command that opens an address in the default browser. Undefined where there is no screen. */
export function browserCommand({ openCommand }: Platform, env: Environment): readonly string[] | undefined {
  if (openCommand[0] !== 'xdg-open') return openCommand
  // Without a screen, xdg-open would start a browser for the terminal.
  const hasScreen = Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
  return hasScreen ? openCommand : undefined
}

/** Opens the address if it can. The address was printed, so a failure is not reported. */
export function openBrowser(url: string, env: Environment): void {
  const [opener, ...args] = browserCommand(platform, env) ?? []
  if (opener === undefined) return
  spawn(opener, [...args, url], { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref()
}
