import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type ReceivedMail, type SmtpReceiver, smtpReceiver } from '../../test/smtp-receiver.ts'
import { supplierClient } from '../../test/supplier-client.ts'
import { type TestService, testService } from '../../test/test-service.ts'
import { until } from '../../test/until.ts'
import { type WorkspaceClient, workspaceClient } from '../../test/workspace-client.ts'

let smtp: SmtpReceiver
let service: TestService
let acme: WorkspaceClient

before(async () => {
  smtp = await smtpReceiver()
  const settings = { KITSEAL_SMTP_URL: smtp.url, KITSEAL_MAIL_FROM: 'kits@kitseal.example' }
  service = await testService(settings)
  acme = await workspaceClient(service)
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await smtp?.[Symbol.asyncDispose]()
})

const mailsTo = (to: string): readonly ReceivedMail[] => smtp.received.filter((mail) => mail.to.includes(to))
const plain = ({ source }: ReceivedMail): string => source.replaceAll(/=\r?\n/g, '')

/** The link that was mailed to a recipient, in a browser that asks for a copy. */
async function asker(to: string, isAsking = true) {
  const items = [{ id: 'A', title: 'A' }]
  await acme.post('/v1/requests', { title: `Review of ${to}`, items, recipients: [to] })
  await until(async () => mailsTo(to).length === 1)
  const [asked] = mailsTo(to)
  assert.ok(asked !== undefined)
  const url = /http:\/\/\S+\/r\/[\w-]{43}/.exec(plain(asked))?.[0] ?? ''
  const supplier = supplierClient(service, url)
  const said = await supplier.call('/sender', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: null, seal_address: true, mail_copy: isAsking }),
  })
  const { sender } = said.json as { sender: { copy_to: string; recipient: string; confirmed: null } }
  assert.deepEqual([sender.recipient, sender.copy_to, sender.confirmed], [to, to, null])
  const cookie = said.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const hand = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
    const draft = await supplier.draft()
    await supplier.upload(draft, files)
    const body = new FormData()
    body.append('final', 'true')
    const path = `/v1/submissions/${draft}/evidence`
    assert.equal((await supplier.call(path, { method: 'POST', headers: { cookie }, body })).status, 202)
    let status = ''
    await until(async () => {
      status = String((await supplier.call(`/v1/submissions/${draft}`)).json['status'])
      return status === 'PASS' || status === 'FAIL'
    })
    return status
  }
  return { supplier, hand }
}

test('a copy is mailed once, when the kit is sealed, with the receipt and a kit that is small', async () => {
  const to = 'ann@supplier.example'
  const { hand, supplier } = await asker(to)
  assert.equal(await hand({ 'A/tool.exe': Buffer.from('MZ'.padEnd(200, '\0')) }), 'FAIL')
  const [item] = await supplier.items()
  await supplier.draft()
  await supplier.call(`/files/${item?.files[0]?.position}`, { method: 'DELETE' })
  assert.equal(await hand({ 'A/a.txt': 'a' }), 'PASS')
  await until(async () => mailsTo(to).length === 2)
  const mail = mailsTo(to)[1]
  assert.ok(mail !== undefined)
  assert.equal(mail.headers.get('subject'), `Your copy: Review of ${to}`)
  const kitId = String((await supplier.show()).json['kit_id'])
  assert.match(plain(mail), new RegExp(`Attached: receipt.json and ${kitId}.zip`))
  const zip = await supplier.call('/kit.zip')
  const attached = [...mail.source.matchAll(/filename="?([^"\r\n]+)"?[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/g)]
  assert.deepEqual(
    attached.map(([, name]) => name),
    ['receipt.json', `${kitId}.zip`],
  )
  assert.deepEqual(Buffer.from(attached[1]?.[2] ?? '', 'base64'), zip.bytes)
  const link = /http:\/\/\S+\/r\/[\w-]{43}/.exec(plain(mail))?.[0] ?? ''
  assert.deepEqual((await supplierClient(service, link).call('/kit.zip')).bytes, zip.bytes)
  assert.match(plain(mail), /The link works until \d+ \w+ \d{4}/)
})

test('a large kit is linked, and not attached', async () => {
  const to = 'large@supplier.example'
  const { hand } = await asker(to)
  assert.equal(await hand({ 'A/noise.txt': randomBytes(3 * 1024 * 1024).toString('hex') }), 'PASS')
  await until(async () => mailsTo(to).length === 2)
  const text = plain(mailsTo(to)[1] as ReceivedMail)
  assert.match(text, /Attached: receipt.json\./)
  assert.doesNotMatch(text, /filename="?[^"]*\.zip/)
})

test('nobody gets a copy who did not ask for it', async () => {
  const to = 'quiet@supplier.example'
  const { hand } = await asker(to, false)
  await hand({ 'A/a.txt': 'a' })
  const last = 'last@supplier.example'
  await (await asker(last)).hand({ 'A/a.txt': 'a' })
  await until(async () => mailsTo(last).length === 2)
  assert.equal(mailsTo(to).length, 1)
})
