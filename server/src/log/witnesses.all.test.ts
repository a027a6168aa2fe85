// A service with litewitness of torchwood and a witness of the tests.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parsePolicy, parseTlogProof, verifyCheckpoint } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { startLitewitness, torchwoodPrograms } from '../../../test/kit/litewitness.ts'
import { startWitness } from '../../../test/kit/witness.ts'
import { checkedClient, type CheckedFetch } from '../../../test/kit/http.ts'
import { serviceProcess } from '../../../test/kit/service-process.ts'
import { issuedKit } from '../../../test/kit/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-witnesses-'))
after(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)
const kitseal = fileURLToPath(new URL('../../../cli/bin/kitseal.cjs', import.meta.url))
const programs = torchwoodPrograms()
const skip = programs === '' ? 'torchwood is not available here: the exchange with it was NOT tested' : false

test(
  'kits are issued with the cosignatures of litewitness and of another witness, also after kill -9',
  { skip },
  async () => {
    const settings = {
      KITSEAL_DATA: at('data'),
      KITSEAL_LOG_MARK: at('mark'),
      KITSEAL_ISSUER: 'http://issuer.example',
      KITSEAL_OPEN_INTAKE: 'on',
    }
    const first = await serviceProcess(settings)
    await issue(checkedClient(first.base))
    const unwitnessed = await read(first.base, '/log/policy')
    await first.end('SIGTERM')

    const [log] = parsePolicy(unwitnessed, nodeHost.digest).logs
    await using ours = await startWitness([log!.key], 'tests.example/w')
    await using lite = await startLitewitness(programs, folder, log!.key)
    const witnesses = `witness ours ${ours.vkey} ${ours.url}\nwitness lite ${lite.vkey} ${lite.url}\n`
    writeFileSync(at('policy'), `${witnesses}group both all ours lite\nquorum both\n`)
    const witnessed = {
      ...settings,
      KITSEAL_WITNESS_POLICY: at('policy'),
      KITSEAL_PROOF: 'require',
      TEST_CHECKPOINT_INTERVAL_MS: '3000',
    }
    for (let round = 0; round < 3; round++) {
      const service = await serviceProcess(witnessed)
      try {
        const call = checkedClient(service.base)
        const kits = await Promise.all([issue(call), issue(call), issue(call)])
        const policy = await read(service.base, '/log/policy')
        writeFileSync(at('reader.policy'), policy)
        writeFileSync(at('jwks.json'), await read(service.base, '/.well-known/jwks.json'))
        for (const kitId of kits) {
          const { bytes } = await call(`/v1/kits/${kitId}/log-proof`)
          const { checkpoint } = parseTlogProof(bytes)
          const status = await verifyCheckpoint(checkpoint, parsePolicy(policy, nodeHost.digest), nodeHost)
          assert.ok(status.is === 'signed' && status.quorumMet, JSON.stringify(status))
        }
        writeFileSync(at('kit.zip'), await read(service.base, `/v1/kits/${kits[0]}/download`))
        const { stdout, stderr, status } = spawnSync(
          process.execPath,
          [kitseal, 'verify', at('kit.zip'), '--jwks', at('jwks.json'), '--policy', at('reader.policy')],
          { encoding: 'utf8' },
        )
        assert.equal(status, 0, stdout + stderr)
      } finally {
        await service.end('SIGKILL')
      }
    }
  },
)

async function issue(call: CheckedFetch): Promise<string> {
  const { json } = await call('/v1/intake/jobs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenant_id: 'acme', scope_label: 'kit' }),
  })
  return issuedKit(call, String(json['job_id']))
}

async function read(base: string, path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(base + path)).arrayBuffer())
}
