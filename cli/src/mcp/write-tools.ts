import { createClient, type Submission } from '@kitseal/client'
import type { VerificationReport } from '@kitseal/kit'
import { type Order, submit } from '../commands/submit.ts'
import type { DownloadTrust } from '../download-trust.ts'
import { isBlocking } from '../finding-lists.ts'
import { type GatheredFile, rejectUnpackable } from '../gather-evidence.ts'
import { InputError } from '../input-error.ts'
import type { ServiceCall } from '../service-call.ts'
import { pluralize } from '../terminal.ts'
import type { Answer } from './answer.ts'
import {
  detailsOf,
  evidenceAt,
  findingsAnswer,
  findingsIn,
  PATHS,
  type Place,
  provedBy,
} from './read-tools.ts'
import { type Tool, tool } from './tool.ts'

/** Tools that send files to the workspace, by what --allow must name. Files with blockers are not sent. */
export const writeTools = (place: Place): Readonly<Record<'submit' | 'requests', Tool>> => ({
  submit: submitTool(place),
  requests: attachTool(place),
})

const submitTool = (place: Place): Tool =>
  tool(
    'submit_files',
    {
      title: 'Submit evidence',
      description:
        'Checks evidence here, uploads it if nothing blocks it, waits for the kit, verifies it and saves it in the folder of --out. Uses one credit.',
      changes: true,
    },
    {
      paths: { is: 'texts', what: PATHS },
      name: { is: 'text', what: 'What the evidence is about, in one line. Reviewers see it' },
      profile: { is: 'text', what: 'A built-in profile to check against', optional: true },
      series: { is: 'text', what: 'The series it belongs to', optional: true },
      tags: { is: 'texts', what: 'Tags to find it by', optional: true },
    },
    async ({ paths, name, profile, series, tags }, signal) => {
      const files = rejectUnpackable(await evidenceAt(place, paths))
      const blocked = await blockedBy(place, files, profile)
      if (blocked !== undefined) return blocked
      const order: Order = {
        files,
        label: name,
        profile,
        accept: [],
        confirm: [],
        attributes: { ...(series !== undefined && { series }), ...(tags !== undefined && { tags }) },
        provenance: undefined,
        out: place.out,
        keys: await place.keys(),
        ci: { summary: undefined, outputs: undefined },
      }
      return submitted(place, await place.connect(signal), order)
    },
  )

function attachTool(place: Place): Tool {
  const links = new Map<string, string>()
  return tool(
    'attach_to_request_item',
    {
      title: 'Attach files to an item of a request',
      description:
        'Checks files here and adds them to the draft of a request of the workspace, for one item. A person submits the draft, on the page of the request.',
      changes: true,
    },
    {
      request_id: { is: 'text', what: 'evr_…, from list_requests' },
      item_id: { is: 'text', what: 'The ID of an item of this request' },
      paths: { is: 'texts', what: PATHS },
    },
    async ({ request_id, item_id, paths }, signal) => {
      const files = rejectUnpackable(await evidenceAt(place, paths))
      const blocked = await blockedBy(place, files, undefined)
      if (blocked !== undefined) return blocked
      const call = await place.connect(signal)
      const { items } = await call.client.getRequest(request_id, { signal })
      if (!items.some(({ id }) => id === item_id))
        throw new InputError(
          `the request has no item ${JSON.stringify(item_id)}. list_requests shows its items`,
        )
      const named = files.map((file) => ({ ...file, name: `${item_id}/${file.name}` }))
      await addToDraft(call, request_id, links, named)
      return {
        said: `Added ${pluralize(files.length, 'file')} to the draft. Nothing is submitted until a person does so on the page of the request.`,
        evidence: { request_id, item_id, files: named.map((file) => file.name) },
        list: 'files',
      }
    },
  )
}

/** The answer instead of an upload, if something blocks the files. A person can accept damage with "kitseal submit --accept". */
async function blockedBy(
  place: Place,
  files: readonly GatheredFile[],
  profile: string | undefined,
): Promise<Answer | undefined> {
  const findings = await findingsIn(place, files, profile)
  if (!findings.some(isBlocking)) return undefined
  return { ...findingsAnswer(findings.filter(isBlocking), 'Nothing was sent.'), isError: true }
}

interface Result {
  readonly submission: Submission
  readonly kit?: {
    readonly path?: string
    readonly keys?: DownloadTrust['keys']
    readonly verification: VerificationReport
  }
}

const PUBLISHED =
  'a key that the service publishes, and that the user has not pinned (to pin it: kitseal trust add URL)'

/** The result, or after a while the ID of the submission. It is then carried on with. */
async function submitted(place: Place, call: ServiceCall, order: Order): Promise<Answer> {
  let said = ''
  const stderr = { write: (text: string | Uint8Array) => void (said += String(text)) }
  const work = submit({ ...call, terminal: { ...call.terminal, stderr } }, order)
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), place.waitMs)
  })
  const shown = await Promise.race([work, enough]).finally(() => clearTimeout(timer))
  if (shown === undefined) {
    work.catch(() => undefined)
    return {
      said: 'The files are sent or being sent. There is no result yet: ask get_submission for it in a while.',
      evidence: { submission_id: /\bsub_[\w-]+/.exec(said)?.[0] ?? null },
    }
  }
  const { submission, kit } = shown.json as Result
  const { submission_id, kit_id } = submission
  if (kit === undefined)
    return { ...findingsAnswer(submission.findings.filter(isBlocking), 'No kit was issued.'), isError: true }
  return {
    said: `The service issued a kit. ${provedBy(kit.verification, kit.keys === 'service' ? PUBLISHED : undefined)}`,
    evidence: { submission_id, kit_id, saved_as: kit.path ?? null, ...detailsOf(kit.verification) },
    list: 'failed_checks',
    isError: kit.path === undefined,
  }
}

/** Files are added with a link of the request, as by a supplier. It is made once, used here and shown to nobody. */
async function addToDraft(
  { client, url, signal }: ServiceCall,
  requestId: string,
  links: Map<string, string>,
  files: readonly GatheredFile[],
): Promise<void> {
  const known = links.get(requestId) ?? (await client.createRequestLink(requestId, {}, { signal })).url
  // A link that does not work is not used again.
  links.delete(requestId)
  const supplier = createClient({ baseUrl: url + (/\/r\/[\w-]+$/.exec(known)?.[0] ?? '') })
  const started = await supplier.request('POST', '/draft', { signal })
  const { submission } = (await started.json()) as { submission: { submission_id: string } }
  await supplier.uploadEvidence(submission.submission_id, files, { signal, final: false })
  links.set(requestId, known)
}
