// A shell session as a page shows it, run for real and compared.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const PATIENCE_MS = 60_000

export interface Exchange {
  readonly command: string
  /** `…` stands for anything; isAsShown() says more. */
  readonly output: string
}

/** Lines that start with `$ ` are typed, `> ` continues them, everything else is what comes back. */
export function exchangesOf(session: string): readonly Exchange[] {
  return session
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.trimEnd().split('\n')
      const typed = 1 + lines.slice(1).findLastIndex((line) => line.startsWith('> ')) + 1
      return {
        command: lines
          .slice(0, typed)
          .map((line) => line.replace(/^> /, ''))
          .join('\n'),
        output: lines.slice(typed).join('\n'),
      }
    })
}

/** Types the commands into one shell, and gives back what each of them really printed. */
export async function replay(
  exchanges: readonly Exchange[],
  place: { readonly folder: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<readonly Exchange[]> {
  const mark = '-- end of what this command printed --'
  const script = `exec 2>&1\n${exchanges.map(({ command }) => `${command}\necho; echo '${mark}'`).join('\n')}`
  const shell = spawn('bash', ['-c', script], {
    cwd: place.folder,
    detached: true,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  // A loop that waits for what never comes ends with everything it started.
  const late = setTimeout(() => process.kill(-(shell.pid ?? 0), 'SIGKILL'), PATIENCE_MS)
  await once(shell, 'close')
  clearTimeout(late)
  const outputs = printed.split(`${mark}\n`)
  return exchanges.map(({ command }, index) => ({ command, output: (outputs[index] ?? '').trimEnd() }))
}

/** A line of `…` alone stands for lines that may come, such as those that tell how far something is. */
export function isAsShown(shown: string, printed: string): boolean {
  const pattern = shown
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('\n…\n', '\n(?:[^]*\n)?')
    .replaceAll('…', '[^]*')
  return new RegExp(`^${pattern}$`).test(printed)
}
