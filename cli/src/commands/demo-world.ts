import { type Client, createClient, type Fetch } from '@kitseal/client'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileSink } from '@kitseal/client/node'
import { NO_TRUST, type Trust } from '@kitseal/kit'
import type { Service } from '@kitseal/server'

export type DemoWorld = Awaited<ReturnType<typeof makeDemoWorld>>
export type DemoService = Awaited<ReturnType<typeof startDemoService>>

/** The visitor signs in as Ann. */
export const ANN = { name: 'Ann Meier', email: 'ann@acme.example' } as const

const DAY_MS = 24 * 60 * 60_000
const OWNER = { owner: ANN.email }
const ITEMS = [
  { item_id: 'ACCESS', title: 'Access review', due_days: 14, ...OWNER },
  { item_id: 'RESTORE', title: 'Restore test of a backup', due_days: 21, ...OWNER },
  { item_id: 'INCIDENTS', title: 'List of incidents', due_days: 30, ...OWNER },
  { item_id: 'VISIT', title: 'Notes of the site visit', due_days: 45, ...OWNER },
]

/**
 * A finished quarter such as `2026-Q3`, one in progress, a supplier who has been asked, and an auditor with a question. Made as its
 * people would: through the API, with a session of Ann and the links of the others.
 */
export async function makeDemoWorld(
  service: { readonly address: string; readonly firstInvitation: string | undefined },
  signal: AbortSignal,
) {
  // Ctrl-C ends every request.
  const send: Fetch = (url, init) => fetch(url, { ...init, signal })
  const ann = await signInAsAnn(service.address, service.firstInvitation ?? '', send)
  const program = {
    name: 'Security controls',
    cadence: 'quarterly',
    starts_on: startOfLastQuarter(),
    items: ITEMS,
  } as const
  const { program_id: programId } = await ann.createProgram(program)
  const { period, kitId } = await finishQuarter(ann, programId)
  await ann.openPeriod(programId)
  const next = await addFiles(ann, programId, THIS_QUARTER)
  await ann.changePeriodItem(programId, next.period, 'ACCESS', { status: 'accepted' })
  await ann.changePeriodItem(programId, next.period, 'RESTORE', { status: 'to_review' })
  const request = await askSupplier(ann, service.address, send)
  const room = await openRoom(ann, programId, kitId, send)
  // The last two are pages.
  return { kitId, period, programId, request, room }
}

/** The first invitation makes Ann the owner and names the workspace. Her session is a cookie, as in a browser. */
async function signInAsAnn(address: string, invitation: string, send: Fetch): Promise<Client> {
  let cookie = ''
  const ann = createClient({
    baseUrl: address,
    headers: { 'x-console-request': '1' },
    fetch: async (url, init) => {
      const headers = { ...(init?.headers as Record<string, string>), cookie, origin: address }
      const response = await send(url, { ...init, headers })
      cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
      return response
    },
  })
  const body = { token: new URL(invitation).hash.slice(1), ...ANN, workspace_name: 'Acme' }
  const headers = { 'content-type': 'application/json' }
  await ann.request('POST', '/console/api/invitation/accept', { headers, body: JSON.stringify(body) })
  return ann
}

/** Its first period ends today, so that the next one is the current quarter. */
function startOfLastQuarter(): string {
  const day = new Date(Date.now() + DAY_MS)
  day.setUTCMonth(day.getUTCMonth() - 3)
  return day.toISOString().slice(0, 10)
}

async function finishQuarter(ann: Client, programId: string) {
  const { period, submissionId } = await addFiles(ann, programId, LAST_QUARTER)
  for (const { item_id } of ITEMS)
    await ann.changePeriodItem(programId, period, item_id, { status: 'accepted' })
  await ann.sealPeriod(programId, period)
  const sealed = await ann.waitForResult(submissionId, { timeoutMs: Infinity })
  if (sealed.kit_id === null)
    throw new Error(`the sample ended as ${sealed.status}: ${JSON.stringify(sealed.blockers)}`)
  return { period, kitId: sealed.kit_id }
}

/** To the newest period. */
async function addFiles(ann: Client, programId: string, files: Sample) {
  const [newest] = (await ann.getProgramBoard(programId)).periods
  if (newest === undefined) throw new Error('the program has no period')
  await ann.uploadEvidence(newest.submission_id, evidenceOf(files), { final: false })
  return { period: newest.period, submissionId: newest.submission_id }
}

const evidenceOf = (files: Sample) => Object.entries(files).map(([name, content]) => ({ name, content }))

/** The supplier has added one of three. */
async function askSupplier(ann: Client, address: string, send: Fetch): Promise<string> {
  const { link } = await ann.createRequest({
    title: 'Supplier review',
    message: 'Please send these before our audit.',
    recipients: ['bob@supplier.example'],
    items: [
      { id: 'SOC2', title: 'SOC 2 report' },
      { id: 'PENTEST', title: 'Summary of the last penetration test' },
      { id: 'SUBPROCESSORS', title: 'List of subprocessors' },
    ],
    due_at: inDays(14),
  })
  const url = link?.url ?? ''
  const supplier = createClient({ baseUrl: address + new URL(url).pathname, fetch: send })
  const draft = (await (await supplier.request('POST', '/draft')).json()) as {
    readonly submission: { readonly submission_id: string }
  }
  const list = evidenceOf({ 'SUBPROCESSORS/subprocessors.csv': 'name,country\nExample Hosting,DE\n' })
  await supplier.uploadEvidence(draft.submission.submission_id, list, { final: false })
  return url
}

async function openRoom(ann: Client, programId: string, kitId: string, send: Fetch): Promise<string> {
  const recipients = ['carol@auditor.example']
  const room = await ann.createRoom({
    title: 'Audit',
    program: programId,
    recipients,
    expires_at: inDays(90),
  })
  const url = room.recipients[0]?.url ?? ''
  const question = { kit_id: kitId, text: 'Who restored the backup?', is_question: true }
  await createClient({ baseUrl: url, fetch: send }).request('POST', '/comments', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  return url
}

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

/** Files by name, such as a company gives to an auditor every quarter. */
type Sample = Readonly<Record<string, string>>

const NOTES = { 'VISIT/監査メモ.txt': 'Interviewed on site. 現地で確認した。\n' }

/** Each item of the program is a folder. */
const LAST_QUARTER: Sample = {
  'ACCESS/access-review.csv': accounts('c.silva,admin,m.ito,remove'),
  'RESTORE/restore-test.md': '# Restore test\n\nRestored in 94 minutes. All 41,207 rows were compared.\n',
  'INCIDENTS/incidents.json': `${JSON.stringify({ quarter: 'last', incidents: [] }, null, 2)}\n`,
  ...NOTES,
}

/** Not finished: the list of incidents is missing, and the notes are those of the last quarter. */
const THIS_QUARTER: Sample = {
  'ACCESS/access-review.csv': accounts('d.novak,editor,m.ito,keep'),
  'RESTORE/restore-test.md': '# Restore test\n\nRestored in 81 minutes. All 42,680 rows were compared.\n',
  ...NOTES,
}

function accounts(last: string): string {
  return `account,role,reviewed_by,decision\na.jensen,admin,m.ito,keep\nb.okafor,editor,m.ito,keep\n${last}\n`
}

/** One byte of a kit of the last quarter: a slow restore becomes a fast one. */
function changeOneByte(kit: Uint8Array): Buffer {
  const changed = Buffer.from(kit)
  const at = changed.indexOf('94 minutes')
  if (at === -1) throw new Error('the kit does not contain the restore test')
  changed.write('1', at)
  return changed
}

/** Starts an empty service on a free port of this machine. */
export async function startDemoService(dataFolder: string) {
  const { openAdministration, readConfig, startService } = await import('@kitseal/server')
  const config = readConfig({
    KITSEAL_DATA: dataFolder,
    KITSEAL_PORT: '0',
    KITSEAL_METRICS_LISTEN: 'off',
    KITSEAL_LOG_LEVEL: 'silent',
  })
  if (!config.ok) throw new Error(config.problems.join(' '))
  const service = await startService(config.value, { log: { write: () => true } })
  return {
    service,
    /** Works once. What "kitseal admin invite" does for someone who is a member already. */
    signInLink: async () => {
      await using administration = await openAdministration(config.value)
      const [workspace] = await administration.workspaces.list()
      if (workspace === undefined) throw new Error('there is no workspace')
      const invited = { workspaceId: workspace.workspace_id, email: ANN.email, role: 'owner' } as const
      const { token } = await administration.invitations.invite(invited, { is: 'operator' })
      return administration.consoleLink(token, service.issuer)
    },
    [Symbol.asyncDispose]: () => service.stop(),
  }
}

/** Saves the kit of the finished quarter, and a changed copy of it. */
export async function saveKits(
  service: Service,
  { kitId, period }: DemoWorld,
  folder: string,
  signal: AbortSignal,
) {
  const client = createClient({ baseUrl: service.address, apiKey: service.firstApiKey })
  // The trusted key must not come from the kit. Here it comes from the operator of the service.
  const trust: Trust = { ...NO_TRUST, kids: [(await service.signingKeys.activeSigner()).kid] }
  const path = join(folder, `controls-${period}.zip`)
  const { report } = await client.downloadKit(kitId, { trust, signal, into: fileSink(path) })
  const changed = join(folder, `controls-${period}-changed.zip`)
  await writeFile(changed, changeOneByte(await readFile(path)))
  return { path, changed, trust, report }
}
