// A program of somebody else: it knows nothing but the two packages. Prints what it came to.
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
const refused = await client.getSubmission('sub_none').catch((error) => error)

console.log(
  JSON.stringify({
    submission: submission.status,
    names: submission.evidence.map(({ name }) => name),
    progressed: seen.length > 10 && seen.at(-1) === 1,
    inMemory: inMemory.status,
    onDisk: onDisk.status,
    refused: refused instanceof ApiError && refused.code,
  }),
)
