// Compiled against the declarations of the two packages, never run.
import { type Client, createClient, type Evidence, type IntakeJob, NO_TRUST } from '@kitseal/client'

export const client: Client = createClient({ baseUrl: 'https://kitseal.example', apiKey: 'ks_x' })
export const job: Promise<IntakeJob> = client.createIntakeJob({ tenant_id: 'a', scope_label: 'b' })
export const kit: Promise<{ readonly kept: Blob }> = client.downloadKit('kit_x', { trust: NO_TRUST })
export const evidence: readonly Evidence[] = [{ name: 'a.txt', content: 'a' }]
// @ts-expect-error what is needed is known
export const wrong = client.createIntakeJob({ tenant_id: 'a' })
