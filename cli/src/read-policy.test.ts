import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { vkey } from '@kitseal/kit/internal'
import { testLogKey } from '../../kit/test/make-log.ts'
import { readPolicyText } from './read-policy.ts'

test('a list of the witness network is a policy with its logs and no quorum', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-policy-'))
  const file = join(folder, 'list')
  const [first, second, third] = ['a.example/log', 'b.example/log', 'c.example/log'].map((origin) =>
    vkey(testLogKey(origin).key),
  )
  const entries = `vkey ${first}\nqpd 24\ncontact a\n\nvkey ${second}\norigin b.example/log\nvkey ${third}\norigin other\n`
  try {
    writeFileSync(file, `# A list\nlogs/v0\n\n${entries}`)
    const { policy, text } = await readPolicyText(file)
    assert.deepEqual(
      policy.logs.map(({ key }) => key.name),
      ['a.example/log', 'b.example/log'],
    )
    assert.equal(policy.quorum, undefined)
    assert.equal(text, `log ${first}\nlog ${second}\nquorum none\n`)
    for (const [wrong, problem] of [
      [`logs/v0\n${entries}qpd x\n`, /list is not a list of logs: line 10: qpd is not valid/],
      [`logs/v0\nvkey x\n`, /list is not a policy: the key is not NAME/],
    ] as const) {
      writeFileSync(file, wrong)
      await assert.rejects(readPolicyText(file), { message: problem })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
