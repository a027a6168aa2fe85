import qrcode from 'qrcode-generator'
import { number } from './pdf/pdf-values.ts'

const LONGEST_ADDRESS = 500
const QUIET_MODULES = 4

/**
 * Operators that draw the address as black squares, for a box of this size.
 * @returns undefined where the address is too long for a code that a telephone can read from paper
 */
export function qrCode(address: string, x: number, y: number, size: number): string | undefined {
  if (address.length === 0 || address.length > LONGEST_ADDRESS) return undefined
  const code = codeOf(address)
  const modules = code.getModuleCount()
  const side = size / (modules + QUIET_MODULES * 2)
  const boxes: string[] = []
  for (let row = 0; row < modules; row++) {
    const top = y + size - (row + QUIET_MODULES + 1) * side
    for (let from = 0; from < modules; from++) {
      if (!code.isDark(row, from)) continue
      let to = from
      while (to < modules && code.isDark(row, to)) to++
      const left = x + (from + QUIET_MODULES) * side
      // A hair taller than a module, so that rows meet without a seam.
      boxes.push(`${[left, top, (to - from) * side, side + 0.02].map(number).join(' ')} re`)
      from = to
    }
  }
  return `0 g ${boxes.join(' ')} f`
}

type QRCode = ReturnType<typeof qrcode>

let last: { readonly address: string; readonly code: QRCode } | undefined

/** A service has one address: its code is worked out once. */
function codeOf(address: string): QRCode {
  if (last?.address === address) return last.code
  const code = qrcode(0, 'M')
  code.addData(encodeURI(decodeURIs(address)), 'Byte')
  code.make()
  last = { address, code }
  return code
}

/** What is escaped already must not be escaped twice. */
function decodeURIs(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
