// Like journey.mjs, in a browser.
import { createClient, trustKeys } from '@kitseal/client'

async function journey(apiKey) {
  const client = createClient({ baseUrl: location.origin, apiKey })
  const { submission_id } = await client.createSubmission({ label: 'a page' })
  const large = new File([new Uint8Array(20_000_000).fill(0x30)], 'größe 日本.txt')

  const controller = new AbortController()
  const onProgress = () => controller.abort()
  const { submission_id: left } = await client.createSubmission({ label: 'left alone' })
  const aborted = await client
    .uploadEvidence(left, [large], { signal: controller.signal, onProgress })
    .catch((error) => error.name)

  const seen = []
  await client.uploadEvidence(submission_id, [large, { name: 'b.txt', content: 'b\n' }], {
    onProgress: ({ doneBytes, totalBytes }) => seen.push(doneBytes / totalBytes),
  })
  const submission = await client.waitForResult(submission_id)
  const trust = trustKeys(await client.getKeys())
  const { report, saved } = await client.downloadKit(submission.kit_id, { trust })
  const untrusted = await client
    .downloadKit(submission.kit_id, { trust: trustKeys({ keys: [] }) })
    .catch((error) => error.name)
  const own = createClient({ baseUrl: location.origin, apiKey, fetch: (url, init) => fetch(url, init) })
  const other = await own.createSubmission({ label: 'a fetch of its own' })
  const byFetch = await own.uploadEvidence(other.submission_id, [large], { final: false })
  return {
    byFetch: byFetch.evidence.map(({ size_bytes }) => size_bytes),
    aborted,
    submission: submission.status,
    names: submission.evidence.map(({ name }) => name),
    progressed: seen.at(-1) === 1,
    kit: report.status,
    isWhole: saved.size > large.size,
    untrusted,
    refused: await client.getSubmission('sub_none').catch((error) => error.code),
  }
}

globalThis.journey = journey
