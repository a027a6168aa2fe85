import encodeQR from 'qr'
import { number } from './pdf/pdf-values.ts'

const LONGEST_ADDRESS = 500
const QUIET_MODULES = 4
/** A hair taller than a module, so that rows meet without a seam. */
const ROW_HEIGHT = 1.005

/**
 * Operators that draw the address as black squares, for a box of this size.
 * @returns undefined where the address is too long for a code that a telephone can read from paper
 */
export function qrCode(address: string, x: number, y: number, size: number): string | undefined {
  if (address.length === 0 || address.length > LONGEST_ADDRESS) return undefined
  const code = encodeQR(encodeURI(decodeURIs(address)), 'raw', {
    ecc: 'medium',
    encoding: 'byte',
    border: QUIET_MODULES,
  })
  const side = size / code.length
  const boxes: string[] = []
  for (const [row, modules] of code.entries()) {
    for (let from = modules.indexOf(true); from !== -1;) {
      const light = modules.indexOf(false, from)
      boxes.push(`${from} ${code.length - row - 1} ${light - from} ${ROW_HEIGHT} re`)
      from = modules.indexOf(true, light)
    }
  }
  // Drawn in modules, not in points: small numbers, and no fractions that could leave a seam.
  return `q ${number(side)} 0 0 ${number(side)} ${number(x)} ${number(y)} cm 0 g ${boxes.join(' ')} f Q`
}

/** What is escaped already must not be escaped twice. */
function decodeURIs(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
