import { ByteCursor } from './byte-cursor.ts'
import { broken, type FileToCheck, SOUND, type Structure } from './structure.ts'

/** The records of a capture of 100 MB. Those that follow are not counted. */
const MAX_RECORDS = 1_000_000
const MANY = broken('partly_examined', `only the first ${MAX_RECORDS} records were read`)
const CUT = broken('malformed_capture', 'it ends within a record')

/** Follows the packets of a pcap file. A capture that was stopped often ends within a packet. */
export async function checkPcap({ source }: FileToCheck): Promise<Structure> {
  const bytes = new ByteCursor(source)
  if (!(await bytes.has(0, 24))) return broken('malformed_capture', 'its header is truncated')
  const isLittle = bytes.u8(0) !== 0xa1
  let at = 24
  for (let packet = 0; at < source.sizeBytes; packet++) {
    if (packet === MAX_RECORDS) return MANY
    if (!(await bytes.has(at, 16))) return CUT
    at += 16 + bytes.u32(at + 8, isLittle)
  }
  return at === source.sizeBytes ? SOUND : CUT
}

const SECTION = 0x0a0d0d0a
const LITTLE_ENDIAN = 0x4d3c2b1a

/** Follows the blocks of a pcapng file. Each section says in which order its bytes are. */
export async function checkPcapng({ source }: FileToCheck): Promise<Structure> {
  const bytes = new ByteCursor(source)
  let isLittle = true
  let at = 0
  for (let block = 0; at < source.sizeBytes; block++) {
    if (block === MAX_RECORDS) return MANY
    if (!(await bytes.has(at, 12))) return CUT
    if (bytes.u32(at) === SECTION) isLittle = bytes.u32(at + 8) === LITTLE_ENDIAN
    const length = bytes.u32(at + 4, isLittle)
    if (length < 12 || length % 4 !== 0)
      return broken('malformed_capture', `the length of the block at byte ${at} is wrong`)
    at += length
  }
  return at === source.sizeBytes ? SOUND : CUT
}

const [EVTX_HEADER_BYTES, EVTX_CHUNK_BYTES] = [4096, 65_536]

/** A Windows event log has as many chunks as its header says, or more while it is in use. */
export async function checkEvtx({ source }: FileToCheck): Promise<Structure> {
  const bytes = new ByteCursor(source)
  if (!(await bytes.has(0, 128))) return broken('malformed_capture', 'its header is truncated')
  const end = EVTX_HEADER_BYTES + bytes.u16(42, true) * EVTX_CHUNK_BYTES
  return end <= source.sizeBytes ? SOUND : broken('malformed_capture', 'it is truncated')
}
