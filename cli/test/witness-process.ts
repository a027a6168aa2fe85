import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Reply, postCheckpoint } from './start-witness.ts'

const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))

export interface WitnessProcess extends AsyncDisposable {
  readonly url: string
  /** What it printed when it started. */
  readonly welcome: string
  readonly vkey: string
  readonly child: ChildProcess
  post(body: string): Promise<Reply>
  /** Ends it and returns exit code and signal. */
  end(signal: NodeJS.Signals): Promise<unknown>
  stderr(): string
}

/** `kitseal witness` as a process, on a free port. */
export async function witnessProcess(data: string, logs: string): Promise<WitnessProcess> {
  const args = [kitseal, 'witness', '--data', data, '--logs', logs, '--port', '0', '--rate', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let [welcome, errors] = ['', '']
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    welcome += text
    if (welcome.includes('Ctrl-C')) break
  }
  const url = /http:\S+/.exec(welcome)?.[0]
  if (url === undefined) throw new Error(`the witness did not start: ${errors}`)
  const end = (signal: NodeJS.Signals): Promise<unknown> => {
    child.kill(signal)
    return ended
  }
  return {
    url,
    welcome,
    vkey: /^vkey {2}(\S+)$/m.exec(welcome)?.[1] ?? '',
    child,
    post: (body) => postCheckpoint(url, body),
    end,
    stderr: () => errors,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}
