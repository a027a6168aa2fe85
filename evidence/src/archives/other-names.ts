// docs/decisions/0202
import { fromUtf8, webHost } from '@kitseal/kit'
import { viewOf } from '../platform/sources.ts'

const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

/**
 * Decodes a name that is not marked as UTF-8: by its Unicode Path field (7-Zip, WinZip), or where the code pages of DOS
 * agree. Undefined if programs could read another name.
 */
export function otherName(bytes: Uint8Array, unicodePath: Uint8Array | undefined): string | undefined {
  return unicodePath === undefined ? codePageName(bytes) : unicodeName(bytes, unicodePath)
}

function codePageName(bytes: Uint8Array): string | undefined {
  // Valid UTF-8 could also be meant as that.
  if (fromUtf8(bytes) !== undefined) return undefined
  let name = ''
  for (const byte of bytes) {
    const [letter, other] =
      byte < 0x80 ? [String.fromCharCode(byte)] : [CP437[byte - 0x80], CP850[byte - 0x80]]
    if (letter === undefined || byte < 0x20 || (byte >= 0x80 && letter !== other)) return undefined
    name += letter
  }
  return name
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
