/** An element of BER: its tag, and where its content starts and ends. */
interface Element {
  readonly tag: number
  readonly from: number
  readonly to: number
  /** Where the next element starts. */
  readonly next: number
}

const [SEQUENCE, OCTETS, OCTET_PARTS, EXPLICIT, OBJECT_ID] = [0x30, 0x04, 0x24, 0xa0, 0x06]
const MAX_DEPTH = 20
/** Strings in parts are hardly ever in parts of parts. */
const MAX_PART_DEPTH = 3

/** What a message in CMS (RFC 5652) contains: its type, and the type and bytes of what it wraps, if they are in it. */
export interface CmsContent {
  readonly type: string
  readonly innerType?: string
  readonly content?: Uint8Array
}

/** Reads DER and BER, with lengths that are only known at the end. Undefined if it is not CMS. */
export function readCms(bytes: Uint8Array): CmsContent | undefined {
  const outer = elementAt(bytes, 0, bytes.length)
  if (outer?.tag !== SEQUENCE) return undefined
  const [id, wrapped] = childrenOf(bytes, outer, 2)
  if (id?.tag !== OBJECT_ID) return undefined
  const type = hexOf(bytes, id)
  const [data] = wrapped?.tag === EXPLICIT ? childrenOf(bytes, wrapped, 1) : []
  if (data?.tag === OCTETS || data?.tag === OCTET_PARTS) return { type, content: octetsOf(bytes, data) }
  if (data?.tag !== SEQUENCE) return { type }
  // After the version and algorithms: the type, and the content itself.
  for (const child of childrenOf(bytes, data, 4)) {
    const [innerId, inner] = child.tag === SEQUENCE ? childrenOf(bytes, child, 2) : []
    if (innerId?.tag !== OBJECT_ID || inner?.tag !== EXPLICIT) continue
    const [octets] = childrenOf(bytes, inner, 1)
    if (octets?.tag === OCTETS || octets?.tag === OCTET_PARTS)
      return { type, innerType: hexOf(bytes, innerId), content: octetsOf(bytes, octets) }
  }
  return { type }
}

const hexOf = (bytes: Uint8Array, { from, to }: Element): string =>
  Array.from(bytes.subarray(from, Math.min(to, from + 32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

function childrenOf(bytes: Uint8Array, { from, to }: Element, count: number): readonly Element[] {
  const children: Element[] = []
  let at = from
  while (children.length < count) {
    const child = elementAt(bytes, at, to)
    if (child === undefined) break
    children.push(child)
    at = child.next
  }
  return children
}

/** Undefined at the end of the bytes, and at the mark that ends content without a length. */
function elementAt(bytes: Uint8Array, at: number, end: number, depth = 0): Element | undefined {
  const [tag, first] = [bytes[at] ?? 0, bytes[at + 1] ?? 0]
  if (at + 2 > end || (tag === 0 && first === 0) || depth > MAX_DEPTH) return undefined
  const from = at + 2
  if (first < 0x80) return { tag, from, to: Math.min(end, from + first), next: from + first }
  const count = first & 0x7f
  if (count > 6 || from + count > end) return undefined
  if (count > 0) {
    const length = bytes.subarray(from, from + count).reduce((sum, byte) => sum * 256 + byte, 0)
    return { tag, from: from + count, to: Math.min(end, from + count + length), next: from + count + length }
  }
  return {
    tag,
    from,
    to: end,
    get next() {
      return endOf(bytes, from, end, depth)
    },
  }
}

/** After the mark that ends content without a length. */
function endOf(bytes: Uint8Array, from: number, end: number, depth: number): number {
  let at = from
  for (
    let child = elementAt(bytes, at, end, depth + 1);
    child !== undefined;
    child = elementAt(bytes, at, end, depth + 1)
  )
    at = child.next
  return at + 2
}

/** A string of bytes, which may be in parts, whose parts may be in parts. */
function octetsOf(bytes: Uint8Array, element: Element): Uint8Array {
  const octets = new Uint8Array(element.to - element.from)
  let length = 0
  const collect = (one: Element, depth: number): void => {
    if (one.tag === OCTETS) {
      octets.set(bytes.subarray(one.from, one.to), length)
      length += one.to - one.from
    }
    if (one.tag !== OCTET_PARTS || depth > MAX_PART_DEPTH) return
    let at = one.from
    for (let part = elementAt(bytes, at, one.to); part !== undefined; part = elementAt(bytes, at, one.to)) {
      collect(part, depth + 1)
      at = part.next
    }
  }
  collect(element, 0)
  return octets.subarray(0, length)
}
