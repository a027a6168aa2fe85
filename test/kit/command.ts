import { main } from '../../cli/src/main.ts'
import type { TestService } from './service.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `kitseal` in this process, with a home of its own. */
export async function kitseal(
  args: readonly string[],
  { env = {}, stdin }: { readonly env?: Readonly<Record<string, string>>; readonly stdin?: string } = {},
): Promise<Ran> {
  let [stdout, stderr] = ['', '']
  const code = await main(args, {
    env,
    stdout: { write: (part: string | Uint8Array) => void (stdout += Buffer.from(part as string)) },
    stderr: { write: (part: string) => void (stderr += part) },
    ...(stdin === undefined ? {} : { stdin: [Buffer.from(stdin)] }),
  })
  return { code, stdout, stderr }
}

/** Runs `kitseal admin` on the data of a running service. */
export function admin(
  { environment }: Pick<TestService, 'environment'>,
  ...args: readonly string[]
): Promise<Ran> {
  return kitseal(['admin', ...args], { env: environment })
}
