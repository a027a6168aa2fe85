import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyKitFile } from '@kitseal/kit/node'
import { platform, type Platform } from '@kitseal/kit/internal/node'
import { command } from '../command-line.ts'
import { tempFolderError } from '../input-error.ts'
import { Interrupted, interruptSignal } from '../interruption.ts'
import { type Colors, colors, EXIT, jsonText, printable, type Terminal, writeLines } from '../terminal.ts'
import {
  ANN,
  type DemoService,
  type DemoWorld,
  makeDemoWorld,
  saveKits,
  startDemoService,
} from './demo-world.ts'

const HELP = `usage: kitseal demo [OPTIONS]

Opens a small finished world in your browser: a workspace with a program of two quarters, one sealed and one in progress, a
request to a supplier, a room for an auditor, and a kit to break. Before that, it verifies the kit, and shows that a copy with
one other byte is detected. Everything is in a temp folder and is deleted when you press Ctrl+C.

Without a terminal, and with --json, it ends after that.

OPTIONS

exit codes: 0 success; 1 the changed copy was not detected; 130 interrupted before the world was ready`

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
        // A request that is cut off fails with an error of its own.
        const { reason } = interrupt.signal
        if (!(reason instanceof Interrupted)) throw error
        writeLines(terminal.stderr, ['', 'Interrupted. All files were deleted.'])
        return reason.exitCode
      } finally {
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      }
    },
})

const isDiskError = (error: unknown): boolean =>
  /^(?:SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|EFBIG|EDQUOT|EROFS|EACCES)/.test(
    String((error as { readonly code?: unknown }).code),
  )

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

  say('', style.strong('2. A copy of the kit in which one byte is different'), '')
  const { status, errors } = await verifyKitFile(changed, trust)
  const isDetected = status === 'FAIL' && errors.some((error) => error.startsWith('artifact_hash_mismatch: '))
  step(isDetected ? style.good('detected') : style.bad('MISSED'), printable(errors[0] ?? status))
  say('', style.faint(report.boundary), '')
  if (json)
    writeLines(terminal.stdout, [jsonText({ status: isDetected ? 'PASS' : 'FAIL', detected: isDetected })])
  if (isDetected && !json && terminal.stdout.isTTY === true)
    await show(demonstration, world, [path, changed], signal, terminal)
  say('All files were deleted. Next: start a service with "kitseal serve", then run "kitseal submit".')
  return isDetected ? EXIT.ok : EXIT.fail
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

/** The command that opens an address in the default browser. Undefined where there is no screen. */
export function browserCommand(
  { openCommand }: Platform,
  env: Terminal['env'],
): readonly string[] | undefined {
  if (openCommand[0] !== 'xdg-open') return openCommand
  // Without a screen, xdg-open would start a browser for the terminal.
  const hasScreen = Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
  return hasScreen ? openCommand : undefined
}

/** Opens the address if it can. The address was printed, so a failure is not reported. */
export function openBrowser(url: string, env: Terminal['env']): void {
  const [opener, ...args] = browserCommand(platform, env) ?? []
  if (opener === undefined) return
  spawn(opener, [...args, url], { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref()
}
