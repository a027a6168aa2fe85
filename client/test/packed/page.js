// The same in a page. What it came to stands in the title.
import { createClient, trustKeys } from '@kitseal/client'

async function journey() {
  const client = createClient({ baseUrl: location.origin })
  const { job_id } = await client.createIntakeJob({ tenant_id: 'acme', scope_label: 'a page' })
  const job = await client.waitForJob(job_id)
  const trust = trustKeys(await client.getKeys())
  const { report, kept } = await client.downloadKit(job.kit_id, { trust })
  return { job: job.status, kit: report.status, isBlob: kept instanceof Blob }
}

globalThis.result = journey()
