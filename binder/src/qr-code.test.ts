import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeQR } from 'qr/decode.js'
import { qrCode } from './qr-code.ts'

const PIXELS = 400

test('a QR code reader decodes the address at any position', () => {
  const address = 'https://seal.example/verify/kit_3tcCzLXhAtPZ2V0gRMPU6w'
  assert.equal(read(qrCode(address, 0, 0, PIXELS)), address)
  assert.equal(read(qrCode(address, 60, 40, PIXELS / 2)), address)
})

test('the address is percent-encoded exactly once', () => {
  assert.equal(read(qrCode('https://seal.example/ä b', 0, 0, PIXELS)), 'https://seal.example/%C3%A4%20b')
  assert.equal(read(qrCode('https://seal.example/%C3%A4', 0, 0, PIXELS)), 'https://seal.example/%C3%A4')
})

test('an empty or too long address gives no code', () => {
  assert.equal(qrCode(`https://seal.example/${'a'.repeat(500)}`, 0, 0, PIXELS), undefined)
  assert.equal(qrCode('', 0, 0, PIXELS), undefined)
})

/** Renders the boxes and decodes the image. */
function read(operators: string | undefined): string {
  const [, scale = 0, left = 0, bottom = 0] = numbers(
    /^q (\S+) 0 0 \S+ (\S+) (\S+) cm 0 g /.exec(operators ?? ''),
  )
  const data = new Uint8Array(PIXELS * PIXELS * 4).fill(255)
  for (const box of (operators ?? '').matchAll(/(\S+) (\S+) (\S+) (\S+) re/g)) {
    const [, x = 0, y = 0, width = 0, height = 0] = numbers(box)
    for (let row = Math.round(y * scale + bottom); row < Math.round((y + height) * scale + bottom); row++) {
      const from = (PIXELS - row - 1) * PIXELS
      const start = from + Math.round(x * scale + left)
      const end = from + Math.round((x + width) * scale + left)
      for (let at = start; at < end; at++) data.fill(0, at * 4, at * 4 + 3)
    }
  }
  return decodeQR({ width: PIXELS, height: PIXELS, data })
}

const numbers = (found: RegExpExecArray | null): readonly number[] => [...(found ?? [])].map(Number)
