import { fromUtf8, webHost } from '@kitseal/kit/internal'
import { viewOf } from '../platform/sources.ts'

const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

/**
 * Decodes a name that is not marked as UTF-8: by its Unicode Path field (7-Zip, WinZip), or by the
 * code page in which it looks most like a name. Undefined if the field and the name contradict each other.
 */
export function otherName(bytes: Uint8Array, unicodePath: Uint8Array | undefined): string | undefined {
  return unicodePath === undefined ? codePageName(bytes) : unicodeName(bytes, unicodePath)
}

/** The first of several with the same score is taken. Programs of a system use the code page of its language. */
const CODE_PAGES: readonly ((bytes: Uint8Array) => string | undefined)[] = [
  singleBytes(CP437),
  singleBytes(CP850),
  ...['ibm866', 'koi8-r', 'windows-1251', 'windows-1252', 'shift_jis', 'gbk'].map(decoderOf),
]

function codePageName(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0 || bytes.includes(0)) return undefined
  // Text in another encoding is hardly ever valid UTF-8.
  const utf8 = fromUtf8(bytes)
  if (utf8 !== undefined) return utf8
  const names = CODE_PAGES.map((decode) => decode(bytes)).filter((name) => name !== undefined)
  return names.toSorted((a, b) => score(b) - score(a))[0]
}

/** How much a text looks like a name: letters count for it, symbols and capitals inside a word against it. */
function score(name: string): number {
  let sum = 0
  let before = ''
  const letters = [...name]
  for (const [index, letter] of letters.entries()) {
    const after = letters[index + 1] ?? ''
    if (letter > '\x7f') sum += scoreOf(letter, before, after)
    before = letter
  }
  return sum
}

function scoreOf(letter: string, before: string, after: string): number {
  // Two bytes each. A second byte that is an ASCII letter often is one.
  if (/[\u3040-\u30ff\u3005\u4e00-\u9fff]/.test(letter)) return /[a-z]/.test(before + after) ? -2 : 4
  if (/[\u0370-\u03ff\uff61-\uff9f\ue000-\uf8ff]/.test(letter)) return -2
  if (/\p{Ll}/u.test(letter)) return 2
  if (/\p{Lu}/u.test(letter)) return /\p{Ll}/u.test(before) ? -2 : 1
  return -3
}

function singleBytes(page: string): (bytes: Uint8Array) => string {
  return (bytes) =>
    Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (page[byte - 0x80] ?? ''))).join(
      '',
    )
}

function decoderOf(label: string): (bytes: Uint8Array) => string | undefined {
  return (bytes) => {
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes)
    } catch {
      return undefined
    }
  }
}

/** A version, the CRC-32 of the name in the header, and the name (APPNOTE 4.6.9). */
function unicodeName(bytes: Uint8Array, field: Uint8Array): string | undefined {
  if (field.length < 6 || field[0] !== 1) return undefined
  if (viewOf(field).getUint32(1, true) !== webHost.crc32(bytes, 0)) return undefined
  const name = fromUtf8(field.subarray(5))
  const plain = new TextDecoder('latin1').decode(bytes)
  // Programs that ignore the field must see a file of the same kind in the same place, with replaced letters only.
  const isReplaced = /[^\x20-\x7e]|[?_]/.test(plain)
  const isSamePlace = name !== undefined && shapeOf(name) === shapeOf(plain) && !name.includes('\0')
  return isReplaced && isSamePlace ? name : undefined
}

/** The number of folders, and the extension if it is plain. */
function shapeOf(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1] ?? ''
  return `${name.split(/[\\/]/).length} ${ending.toLowerCase()}`
}
