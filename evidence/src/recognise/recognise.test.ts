import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { zipOf } from '../../test/evidence-samples.ts'
import { examine } from '../../test/examine.ts'
import { prowlerOcsf } from '../../test/tool-outputs.ts'

const summaryOf = async (name: string, content: string | Uint8Array): Promise<string | undefined> =>
  (await examine({ [name]: content })).files[0]?.recognised?.summary

const PROWLER = 'Prowler 5.9.0 · account 123456789012 · 12 Nov 2026 · 2 pass, 1 fail, 1 muted, 1 manual'

suite('output of tools', () => {
  test('is recognised by its content, whatever its name', async () => {
    assert.equal(await summaryOf('scan.txt', prowlerOcsf()), PROWLER)
    assert.equal(
      await summaryOf('prowler.ocsf.json', '[{"metadata": {"product": {"name": "Other"}}}]'),
      undefined,
    )
  })

  test('is recognised in archives', async () => {
    const { files } = await examine({ 'all.zip': zipOf({ 'a/scan.json': prowlerOcsf() }) })
    assert.deepEqual(
      files.map(({ path, recognised }) => [path, recognised?.summary]),
      [['data/a/scan.json', PROWLER]],
    )
  })
})
