import { spawn } from 'node:child_process'
import { platform, type Platform } from '@kitseal/kit/internal/node'

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
  const [command, ...args] = browserCommand(platform, env) ?? []
  if (command === undefined) return
  spawn(command, [...args, url], { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref()
}
