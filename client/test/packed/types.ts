// Compiled against the packages' type declarations, never run.
import { type Client, createClient, type Evidence, NO_TRUST, type Submission } from '@kitseal/client'

export const client: Client = createClient({ baseUrl: 'https://kitseal.example', apiKey: 'ks_x' })
export const submission: Promise<Submission> = client.createSubmission({ label: 'a' })
export const kit: Promise<{ readonly saved: Blob }> = client.downloadKit('kit_x', { trust: NO_TRUST })
export const evidence: readonly Evidence[] = [{ name: 'a.txt', content: 'a' }, new File([''], 'b.txt')]
export const uploaded: Promise<Submission> = client.uploadEvidence('sub_x', evidence)
// @ts-expect-error label is required
export const wrong = client.createSubmission({})
