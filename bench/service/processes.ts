import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(dirname(import.meta.dirname))

/** A bench script in its own process that answers one message at a time. */
export function helper<Order extends object, Result>(script: string) {
  const child = fork(join(root, 'bench', script), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
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

/** The service, started as in production, on a free port, without rate limits. */
export async function startKitseal(
  dataFolder: string,
  more: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
) {
  const settings = {
    KITSEAL_DATA: dataFolder,
    KITSEAL_PORT: '0',
    KITSEAL_RATE_LIMIT: 'off',
    KITSEAL_OPEN_INTAKE_LIMITS: 'off',
    KITSEAL_LOG_LEVEL: 'warn',
    ...more,
    ...env,
  }
  const service = await startServer('cli/bin/kitseal.cjs', ['serve'], settings)
  return { ...service, port: Number(new URL(service.base).port) }
}

/** Starts a script that prints the address it listens on. */
export async function startServer(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    base: await addressOf(child, script),
    pid: child.pid ?? 0,
    /** Seconds of CPU time that it has used. */
    processorSeconds: () => processorSeconds(child.pid ?? 0),
    [Symbol.asyncDispose]: () => end(child),
  }
}

function addressOf(child: ChildProcess, script: string): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const address = /address +(http:\S+)/.exec(said)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.on('exit', () => reject(new Error(`${script} did not start: ${said}`)))
  })
}

function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ', 2)[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory of a process and its children. */
export function residentMb(pid: number): number {
  const read = (file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  const own = Number(/VmRSS:\s+(\d+)/.exec(read('status'))?.[1] ?? 0) / 1024
  const children = read(`task/${pid}/children`).trim().split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + residentMb(Number(child)), own)
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
