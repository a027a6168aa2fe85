import encodeQR from 'qr'
import { number } from './pdf/pdf-values.ts'

const MAX_ADDRESS_LENGTH = 500
const QUIET_MODULES = 4
/** Rows overlap slightly, so that no gaps show between them. */
const OVERLAP = 0.005

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
  let drawn = `q ${number(side)} 0 0 ${number(side)} ${number(x)} ${number(y)} cm 0 g `
  for (let row = 0; row < code.length; row++) {
    const modules = code[row] ?? []
    for (let from = modules.indexOf(true); from !== -1;) {
      const light = modules.indexOf(false, from)
      let below = row + 1
      while (isRun(code[below], from, light)) code[below++]?.fill(false, from, light)
      drawn += `${from} ${code.length - below} ${light - from} ${below - row + OVERLAP} re `
      from = modules.indexOf(true, light)
    }
  }
  return `${drawn}f Q\n`
}

/** Whether these modules are dark, and those beside them are light. */
function isRun(modules: readonly boolean[] | undefined, from: number, light: number): boolean {
  if (modules === undefined || modules[from - 1] !== false) return false
  return modules.indexOf(false, from) === light
}

/** Prevents double escaping. */
function decodeURIs(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
