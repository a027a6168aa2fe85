import type { VerificationReport } from '../src/report.ts'
import type { Trust } from '../src/trust.ts'
import { verifyKit } from '../src/verify.ts'
import { nodeHost } from './node-host.ts'
import { openKit, type OpenKitOptions } from './open-kit.ts'

/**
 * Verifies a kit on disk, a zip or a folder. Large kits are hashed on all cores.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { trustKeys } from '@kitseal/kit'
 * import { readKeySet, verifyKitFile } from '@kitseal/kit/node'
 *
 * const report = await verifyKitFile('kit.zip', trustKeys(readKeySet('issuer.jwks.json')))
 * assert.equal(report.status, 'PASS')
 * ```
 */
export async function verifyKitFile(
  path: string,
  trust: Trust,
  options?: OpenKitOptions,
): Promise<VerificationReport> {
  using kit = await openKit(path, options)
  return await verifyKit(kit, trust, nodeHost)
}
