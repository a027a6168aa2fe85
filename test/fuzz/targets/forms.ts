import assert from 'node:assert/strict'
import { boundaryOf, MultipartProblem, readMultipart } from '../../../server/src/submissions/multipart.ts'
import type { SeededRandom } from '../../kit/seeded-random.ts'
import { damagedBytes } from '../byte-mutations.ts'
import { CaseFailure, type Outcome, type Target } from '../target.ts'

const LIMITS = { parts: 20, framingBytes: 20_000 }

interface ReadPart {
  readonly name: string
  readonly fileName: string | undefined
  readonly content: string
}

/** Multipart bodies: parsed the same however they are split into chunks, and never with other content than fetch finds. */
export function formTarget(): Target {
  return {
    name: 'forms',
    run: async (random) => {
      const { body, contentType } = changedForm(random)
      try {
        return await check(body, contentType, random)
      } catch (error) {
        throw new CaseFailure(error instanceof Error ? (error.stack ?? error.message) : String(error), body)
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

const HEADERS = [
  'Content-Disposition: form-data; name="file"; filename="a.txt"',
  'Content-Disposition: form-data; name="file"; filename="a\\"b.txt"',
  "Content-Disposition: form-data; name=file; filename*=UTF-8''n%C3%A4.txt",
  'content-disposition:form-data;name="file";filename="C:\\x\\y.txt"',
  'Content-Disposition: form-data; name="final"',
  'Content-Type: text/plain',
  'X-Other: ; name="evil"',
  'Content-Disposition: attachment',
  ' folded',
  'Content-Transfer-Encoding: base64',
]

function changedForm(random: SeededRandom): { readonly body: Buffer; readonly contentType: string } {
  const boundary = random.pick(['x', 'xx', '-----x', "a'b()+_,-./:=?"])
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    const headers = Array.from({ length: 1 + random.below(2) }, (_, index) =>
      index === 0 && !random.oneIn(4) ? HEADERS[random.below(5)]! : random.pick(HEADERS),
    )
    const content = random.pick([
      'text',
      '',
      `--${boundary}`,
      `\r\n--${boundary}x`,
      '\r\n',
      `\r\n--${boundary.slice(0, -1)}`,
    ])
    return `--${boundary}${random.oneIn(9) ? ' \t' : ''}\r\n${headers.join('\r\n')}\r\n\r\n${content}\r\n`
  })
  const text = `${random.oneIn(5) ? 'before\r\n' : ''}${parts.join('')}--${boundary}--${random.pick(['', '\r\n', '\r\nafter'])}`
  const body = Buffer.from(text)
  const quoted = /[^\w-]/.test(boundary) ? `"${boundary}"` : boundary
  return {
    body: random.oneIn(2) ? damagedBytes(body, random) : body,
    contentType: `multipart/form-data; boundary=${quoted}`,
  }
}

async function check(body: Buffer, contentType: string, random: SeededRandom): Promise<Outcome> {
  const boundary = boundaryOf(contentType) ?? ''
  const whole = await readForm([body], boundary)
  const cuts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const next = at + 1 + random.below(7)
    cuts.push(body.subarray(at, next))
    at = next
  }
  assert.deepEqual(await readForm(cuts, boundary), whole, 'reading in chunks gives another form')
  if (whole === undefined) return 'refused'
  const other = await platformForm(body, contentType)
  if (other !== undefined) {
    const ours = whole.filter(({ fileName }) => fileName !== undefined).map(({ content }) => content)
    // fetch treats a part with an empty file name as a file, and one with only filename* as a field.
    if (ours.length === other.length) assert.deepEqual(ours, other, 'fetch finds other content')
  }
  return 'accepted'
}

async function readForm(
  pieces: readonly Buffer[],
  boundary: string,
): Promise<readonly ReadPart[] | undefined> {
  const parts: ReadPart[] = []
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield* pieces
  }
  try {
    for await (const { name, fileName, content } of readMultipart(body(), boundary, LIMITS)) {
      const read: Uint8Array[] = []
      for await (const piece of content) read.push(Uint8Array.from(piece))
      parts.push({ name, fileName, content: Buffer.concat(read).toString('latin1') })
    }
    return parts
  } catch (error) {
    if (error instanceof MultipartProblem) return undefined
    throw error
  }
}

async function platformForm(body: Buffer, contentType: string): Promise<readonly string[] | undefined> {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': contentType },
    }).formData()
    const files = [...form.values()].filter((value) => typeof value !== 'string')
    return await Promise.all(
      files.map(async (file) => Buffer.from(await file.arrayBuffer()).toString('latin1')),
    )
  } catch {
    return undefined
  }
}
