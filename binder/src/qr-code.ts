import encodeQR from 'qr'
import { number } from './pdf/pdf-values.ts'
import { TextBuilder } from './pdf/text-builder.ts'

const MAX_ADDRESS_LENGTH = 500
const QUIET_MODULES = 4
/** Slightly more than a module, so that no gaps show between rows. */
const ROW_END = '1.005 re '
const builder = new TextBuilder()
const numbers: string[] = []
const numberText = (value: number): string => (numbers[value] ??= `${value} `)

/** PDF operators that draw a QR code. Undefined if the address is too long for a code that scans well from paper. */
export function qrCode(address: string, x: number, y: number, size: number): string | undefined {
  if (address.length === 0 || address.length > MAX_ADDRESS_LENGTH) return undefined
  const code = encodeQR(encodeURI(decodeURIs(address)), 'raw', {
    ecc: 'medium',
    encoding: 'byte',
    border: QUIET_MODULES,
  })
  const side = size / code.length
  // In units of modules instead of points: short numbers without rounding gaps.
  builder.add(`q ${number(side)} 0 0 ${number(side)} ${number(x)} ${number(y)} cm 0 g `)
  for (let row = 0; row < code.length; row++) {
    const modules = code[row] ?? []
    for (let from = modules.indexOf(true); from !== -1;) {
      const light = modules.indexOf(false, from)
      builder.add(numberText(from))
      builder.add(numberText(code.length - row - 1))
      builder.add(numberText(light - from))
      builder.add(ROW_END)
      from = modules.indexOf(true, light)
    }
  }
  builder.add('f Q\n')
  return builder.take()
}

/** Prevents double escaping. */
function decodeURIs(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
