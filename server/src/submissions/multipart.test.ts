import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundaryOf, MultipartProblem, partHeaders, readMultipart } from './multipart.ts'

const LIMITS = { parts: 10, framingBytes: 20_000 }

interface ReadPart {
  readonly name: string
  readonly fileName: string | undefined
  readonly content: string
}

test('a form parses the same with any chunk boundaries', async () => {
  const body = Buffer.from(
    [
      '--x',
      'Content-Disposition: form-data; name="file"; filename="a.txt"',
      'Content-Type: text/plain',
      '',
      'line\r\n-- is no boundary, and --x in a line is none\r\n\r\n',
      '--x',
      'content-disposition: form-data; name=final',
      '',
      'false',
      '--x--',
      '',
    ].join('\r\n'),
  )
  const whole = await read([body])
  assert.equal(whole.length, 2)
  assert.deepEqual(whole[1], { name: 'final', fileName: undefined, content: 'false' })
  for (let at = 1; at < body.length; at += 1) {
    assert.deepEqual(await read([body.subarray(0, at), body.subarray(at)]), whole, `cut at ${at}`)
  }
  assert.deepEqual(await read([...body].map((byte) => Uint8Array.of(byte))), whole)
})

test('content may contain any bytes, including partial boundaries', async () => {
  const content = Buffer.concat([
    Buffer.from('\r\n--\r\n--'),
    Buffer.from(Array.from({ length: 512 }, (_, index) => index & 255)),
    Buffer.from('\r\r\n\r\n-'),
  ])
  const data = new FormData()
  data.append('file', new File([content], 'bytes'))
  const response = new Response(data)
  const boundary = boundaryOf(response.headers.get('content-type') ?? '') ?? ''
  const body = Buffer.from(await response.arrayBuffer())
  for (const size of [1, 7, 64, 1000]) {
    const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.subarray(index * size, (index + 1) * size),
    )
    const parts = await readBytes(pieces, boundary)
    assert.deepEqual(parts, [content])
  }
})

for (const [written, fileName] of [
  ['filename="plain.txt"', 'plain.txt'],
  ['filename=token.txt', 'token.txt'],
  ['filename=""', ''],
  ['filename="Prüfung 監査 😀.txt"', 'Prüfung 監査 😀.txt'],
  [String.raw`filename="a \"quoted\" name"`, 'a "quoted" name'],
  ['filename="a %22quoted%22 name"', 'a "quoted" name'],
  [String.raw`filename="C:\dir\file.txt"`, String.raw`C:\dir\file.txt`],
  ['filename="ends in \\"', 'ends in \\'],
  ['filename="semi;colon=.txt"', 'semi;colon=.txt'],
  ["filename*=UTF-8''n%C3%A4me.txt", 'näme.txt'],
  ['filename="fallback.txt"; filename*=utf-8\'de\'n%C3%A4me.txt', 'näme.txt'],
  ['FileName="case.txt"', 'case.txt'],
] as const) {
  test(`a part with ${written} is the file ${JSON.stringify(fileName)}`, async () => {
    const [part] = await read([form(`Content-Disposition: form-data; name="file"; ${written}`)])
    assert.deepEqual([part?.name, part?.fileName], ['file', fileName])
  })
}

for (const [what, body] of Object.entries({
  nothing: '',
  'no boundary': 'hello',
  'another boundary': '--y\r\nContent-Disposition: form-data; name="file"\r\n\r\na\r\n--y--\r\n',
  'no closing boundary': '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\ncontent',
  'a boundary without a line end': '--xContent-Disposition: form-data; name="file"\r\n\r\na\r\n--x--',
  'a part without a disposition': '--x\r\nContent-Type: text/plain\r\n\r\na\r\n--x--',
  'a part without header fields': '--x\r\n\r\na\r\n--x--',
  'two dispositions': `--x\r\n${'Content-Disposition: form-data; name="file"\r\n'.repeat(2)}\r\na\r\n--x--`,
  'a disposition other than form-data':
    '--x\r\nContent-Disposition: attachment; name="file"\r\n\r\na\r\n--x--',
  'a part without a name': '--x\r\nContent-Disposition: form-data; filename="a"\r\n\r\na\r\n--x--',
  'two names': '--x\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\na\r\n--x--',
  'an unclosed quote': '--x\r\nContent-Disposition: form-data; name="file\r\n\r\na\r\n--x--',
  'a folded header field': '--x\r\nContent-Disposition: form-data;\r\n name="file"\r\n\r\na\r\n--x--',
  'huge header fields': `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(9000)}"\r\n\r\na\r\n--x--`,
  'header fields that never end': `--x\r\nX: ${'a'.repeat(9000)}`,
  'too much before the first boundary': `${'a'.repeat(30_000)}\r\n--x--`,
  'too much after the last boundary': `--x--${'a'.repeat(30_000)}`,
  'too many parts': `${'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\na\r\n'.repeat(11)}--x--`,
  'an encoded part':
    '--x\r\nContent-Disposition: form-data; name="file"\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ==\r\n--x--',
  'a malformed filename*':
    '--x\r\nContent-Disposition: form-data; name="file"; filename*=latin1\'\'a\r\n\r\na\r\n--x--',
})) {
  test(`a form with ${what} is rejected`, async () => {
    await assert.rejects(read([Buffer.from(body)]), MultipartProblem)
  })
}

// Backtracking would take minutes and block every other request.
test('header parameters are parsed without exponential backtracking', () => {
  const many = 1_000_000
  const field = 'Content-Disposition: form-data; name="file"; filename='
  const open = Buffer.from(`${field}"${'\\'.repeat(many)}`)
  assert.throws(() => partHeaders(open), MultipartProblem)
  const wide = Buffer.from(`${field}"a"\r\nX: a${' '.repeat(many)}b`)
  assert.equal(partHeaders(wide).fileName, 'a')
})

test('an identity Content-Transfer-Encoding is accepted', async () => {
  for (const as of ['binary', '8bit', '7BIT']) {
    const [part] = await read([
      form(`Content-Disposition: form-data; name="file"\r\nContent-Transfer-Encoding: ${as}`),
    ])
    assert.equal(part?.content, 'content')
  }
})

test('headers that are not UTF-8 are rejected', async () => {
  const body = Buffer.from(form('Content-Disposition: form-data; name="file"; filename="\u00ff"'))
  await assert.rejects(read([Buffer.from(body.toString('utf8'), 'latin1')]), MultipartProblem)
})

test('a nested form is content', async () => {
  const inner = '--y\r\nContent-Disposition: form-data; name="file"\r\n\r\na\r\n--y--\r\n'
  const [part] = await read([form('Content-Disposition: form-data; name="file"; filename="f"', inner)])
  assert.equal(part?.content, inner)
})

test('the boundary is parsed from the Content-Type', () => {
  assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc')
  assert.equal(boundaryOf('multipart/form-data; note="; boundary=a"; boundary=b'), 'b')
  assert.equal(boundaryOf('multipart/form-data; charset=utf-8; Boundary="a b"'), 'a b')
  for (const none of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="a "',
    'multipart/form-data; boundary=a; boundary=b',
    'multipart/form-data; boundary=a; Boundary=a',
    'multipart/form-data; boundary=a b',
  ])
    assert.equal(boundaryOf(none), undefined, none)
  assert.equal(boundaryOf(`multipart/form-data; boundary=${'a'.repeat(71)}`), undefined)
})

const form = (disposition: string, content = 'content'): Buffer =>
  Buffer.from(`--x\r\n${disposition}\r\n\r\n${content}\r\n--x--\r\n`)

async function read(pieces: readonly Uint8Array[] | AsyncIterable<Uint8Array>): Promise<readonly ReadPart[]> {
  const parts: ReadPart[] = []
  for await (const { name, fileName, content } of readMultipart(stream(pieces), 'x', LIMITS))
    parts.push({ name, fileName, content: (await all(content)).toString() })
  return parts
}

async function readBytes(pieces: readonly Uint8Array[], boundary: string): Promise<readonly Buffer[]> {
  const parts: Buffer[] = []
  for await (const { content } of readMultipart(stream(pieces), boundary, LIMITS))
    parts.push(await all(content))
  return parts
}

async function* stream(
  pieces: readonly Uint8Array[] | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* pieces
}

async function all(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(Buffer.copyBytesFrom(piece))
  return Buffer.concat(pieces)
}
