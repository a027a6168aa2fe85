// Runs the shell sessions shown in the docs and compares their output.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Only for commands that hang; below the time limit of the test runner. */
const HANG_MS = 270_000

export interface Exchange {
  readonly command: string
  /** `…` matches anything; see isAsShown(). */
  readonly output: string
}

/** Lines that start with `$ ` are typed, `> ` continues them, everything else is output. */
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

/** Runs the commands in one shell and returns what each of them printed. */
export async function replay(
  exchanges: readonly Exchange[],
  shellOptions: { readonly folder: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<readonly Exchange[]> {
  const mark = '-- end of what this command printed --'
  const script = `exec 2>&1\n${exchanges.map(({ command }) => `${command}\necho; echo '${mark}'`).join('\n')}`
  const shell = spawn('bash', ['-c', script], {
    cwd: shellOptions.folder,
    detached: true,
    env: shellOptions.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  let hung = false
  const timeout = setTimeout(() => {
    hung = true
    // The whole process group: the shell and everything it started.
    process.kill(-(shell.pid ?? 0), 'SIGKILL')
  }, HANG_MS)
  await once(shell, 'close')
  clearTimeout(timeout)
  const outputs = printed.split(`${mark}\n`)
  if (hung) throw new Error(`the command does not end: ${exchanges[outputs.length - 1]?.command}`)
  return exchanges.map(({ command }, index) => ({ command, output: (outputs[index] ?? '').trimEnd() }))
}

/** A line with only `…` matches any number of lines, such as progress messages. */
export function isAsShown(shown: string, printed: string): boolean {
  const pattern = shown
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('\n…\n', '\n(?:[^]*\n)?')
    .replaceAll('…', '[^]*')
  return new RegExp(`^${pattern}$`).test(printed)
}
