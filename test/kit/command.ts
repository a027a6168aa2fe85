import assert from 'node:assert/strict'
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

/** Revokes a signing key, by default the newest, and returns its ID. */
export async function revokeSigningKey(
  service: Pick<TestService, 'environment' | 'call'>,
  given?: string,
): Promise<string> {
  const { keys } = (await service.call('/.well-known/jwks.json')).json as { keys: readonly { kid: string }[] }
  const kid = given ?? keys.at(-1)?.kid ?? ''
  const { code, stderr } = await admin(service, 'signing-key', 'revoke', kid)
  assert.equal(code, 0, stderr)
  return kid
}
