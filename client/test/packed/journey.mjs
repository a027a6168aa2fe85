// A program of somebody else: it knows nothing but the two packages. Prints what it came to.
import { createClient, trustKeys } from '@kitseal/client'
import { fileSink } from '@kitseal/client/node'

const [, , baseUrl, path] = process.argv
const client = createClient({ baseUrl })
const { job_id } = await client.createIntakeJob({ tenant_id: 'acme', scope_label: 'packed' })
const job = await client.waitForJob(job_id)
const trust = trustKeys(await client.getKeys())
const { report: inMemory } = await client.downloadKit(job.kit_id, { trust })
const { report: onDisk } = await client.downloadKit(job.kit_id, { trust, into: fileSink(path) })
console.log(JSON.stringify({ job: job.status, inMemory: inMemory.status, onDisk: onDisk.status }))
