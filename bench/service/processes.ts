import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const here = import.meta.dirname
const root = dirname(dirname(here))

/** A script of this folder in a process of its own, that answers messages one at a time. */
export function helper<Order extends object, Result>(script: string) {
  const child = fork(join(here, script), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    async ask(order: Order): Promise<Result> {
      child.send(order)
      const [answer] = (await once(child, 'message')) as [
        { readonly result: Result; readonly error?: string },
      ]
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer.result
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

/** The service itself, as it is started in production, on a free port, without rate limits. */
export async function startKitseal(dataFolder: string) {
  const env = {
    PATH: process.env['PATH'],
    KITSEAL_DATA: dataFolder,
    KITSEAL_PORT: '0',
    KITSEAL_RATE_LIMIT: 'off',
    KITSEAL_LOG_LEVEL: 'warn',
  }
  const child = spawn(process.execPath, [join(root, 'server/src/main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const base = await addressOf(child)
  return {
    base,
    port: Number(new URL(base).port),
    pid: child.pid ?? 0,
    /** Seconds of processor time that the service has used. */
    processorSeconds: () => processorSeconds(child.pid ?? 0),
    [Symbol.asyncDispose]: () => end(child),
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const address = /address +(http:\S+)/.exec(said)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.on('exit', () => reject(new Error(`the service did not start: ${said}`)))
  })
}

function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ', 2)[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
