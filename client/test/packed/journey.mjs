// Uses the two installed packages as a third-party program would, and prints the results.
import { ApiError, createClient, trustKeys } from '@kitseal/client'
import { evidenceFile, fileSink } from '@kitseal/client/node'

const [, , baseUrl, apiKey, evidence, path] = process.argv
const client = createClient({ baseUrl, apiKey })

const { submission_id } = await client.createSubmission({ label: 'packed' })
const seen = []
await client.uploadEvidence(submission_id, [evidenceFile(evidence), { name: 'größe.txt', content: '1\n' }], {
  onProgress: ({ doneBytes, totalBytes }) => seen.push(doneBytes / totalBytes),
})
const submission = await client.waitForResult(submission_id)
const trust = trustKeys(await client.getKeys())
const { report: inMemory } = await client.downloadKit(submission.kit_id, { trust })
const { report: onDisk } = await client.downloadKit(submission.kit_id, { trust, into: fileSink(path) })
const { submission_id: other } = await client.createSubmission({ label: 'refused and aborted' })
const huge = { name: 'huge.txt', sizeBytes: 200_000_000, read: () => zeros(200_000_000) }
const tooLarge = await client.uploadEvidence(other, [huge]).catch((error) => error)
const controller = new AbortController()
const aborted = await client
  .uploadEvidence(other, [{ name: 'a.txt', sizeBytes: 50_000_000, read: () => zeros(50_000_000) }], {
    signal: controller.signal,
    onProgress: ({ doneBytes }) => doneBytes > 1_000_000 && controller.abort(),
  })
  .catch((error) => error)

async function* zeros(sizeBytes) {
  const piece = new Uint8Array(100_000).fill(0x30)
  for (let left = sizeBytes; left > 0; left -= piece.length) yield piece
}

const refused = await client.getSubmission('sub_none').catch((error) => error)

console.log(
  JSON.stringify({
    submission: submission.status,
    names: submission.evidence.map(({ name }) => name),
    progressed: seen.length > 10 && seen.at(-1) === 1,
    inMemory: inMemory.status,
    onDisk: onDisk.status,
    tooLarge: tooLarge instanceof ApiError && tooLarge.status,
    aborted: aborted.name,
    refused: refused instanceof ApiError && refused.code,
  }),
)
