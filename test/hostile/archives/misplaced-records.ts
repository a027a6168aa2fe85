import { archiveBytes, emptyEnd, storedEntry, u32 } from '../../forge/archive.ts'
import { type Construction, entry, text, whole } from './construction.ts'

/** Another complete archive that a reader may find instead. */
const other = (root: string): Uint8Array =>
  archiveBytes({ entries: [storedEntry(`${root}other.txt`, text('other'))] })

/** Records in the wrong place, and data between them. */
export const misplacedRecords: readonly Construction[] = [
  whole('bytes before the archive', (archive) => (archive.prefix = text('#!/bin/sh\n'))),
  whole('an archive before the archive', (archive, root) => (archive.prefix = other(root))),
  whole('bytes behind the archive', (archive) => (archive.suffix = text('tail'))),
  whole('an end record behind the archive', (archive) => (archive.suffix = emptyEnd())),
  whole('an archive behind the archive', (archive, root) => (archive.suffix = other(root))),
  whole('an archive in the comment', (archive, root) => (archive.comment = other(root))),
  whole('an end record in the comment', (archive) => (archive.comment = emptyEnd())),
  whole('an end record in the middle of the comment', (archive) => {
    archive.comment = Buffer.concat([text('a note '), emptyEnd(), text(' and more')])
  }),
  whole('a signature of an end record in the comment', (archive) => {
    archive.comment = Buffer.concat([text('note '), u32(0x06054b50), new Uint8Array(30)])
  }),
  whole('a comment that is longer than it says', (archive) => {
    archive.comment = text('a comment')
    archive.end = { commentBytes: 3 }
  }),
  whole('a comment that is shorter than it says', (archive) => (archive.end = { commentBytes: 5 })),
  whole('bytes between two entries', (archive) => (archive.entries.at(-1)!.before = text('gap'))),
  whole('an entry that the directory leaves out', (archive, root) => {
    archive.entries.splice(1, 0, storedEntry(`${root}hidden.txt`, text('hidden')))
    archive.directoryOrder = (headers) => [...headers.slice(0, 1), ...headers.slice(2)]
    archive.end = { count: archive.entries.length - 1, countHere: archive.entries.length - 1 }
  }),
  whole('an entry behind the others that the directory leaves out', (archive, root) => {
    archive.entries.push(storedEntry(`${root}hidden.txt`, text('hidden')))
    archive.directoryOrder = (headers) => headers.slice(0, -1)
    archive.end = { count: archive.entries.length - 1, countHere: archive.entries.length - 1 }
  }),
  whole('bytes before the directory', (archive) => (archive.beforeDirectory = text('gap'))),
  whole('bytes behind the directory', (archive) => (archive.afterDirectory = text('gap'))),
  whole('a second directory behind the first', (archive, root) => {
    const second = other(root)
    archive.afterDirectory = second.subarray(Buffer.from(second).indexOf('PK\x01\x02'))
  }),
  whole('a count that is one too small', (archive) => {
    archive.end = { count: archive.entries.length - 1, countHere: archive.entries.length - 1 }
  }),
  whole('a count that is one too large', (archive) => {
    archive.end = { count: archive.entries.length + 1, countHere: archive.entries.length + 1 }
  }),
  whole('two counts', (archive) => (archive.end = { countHere: archive.entries.length - 1 })),
  whole(
    'a count that leaves to a zip64 record that is missing',
    (archive) => (archive.end = { count: 0xffff, countHere: 0xffff }),
  ),
  whole('a directory that is shorter than it is', (archive) => (archive.end = { directoryBytes: 50 })),
  whole('an offset of the directory that is wrong', (archive) => (archive.end = { directoryOffset: 3 })),
  whole('an end record on another disk', (archive) => (archive.end = { disk: 1 })),
  whole('a directory on another disk', (archive) => (archive.end = { directoryDisk: 1 })),
  entry('an entry on another disk', (victim) => (victim.central = { disk: 1 })),
  entry('two entries over the same data', (victim, archive) => {
    archive.entries.push({
      ...victim,
      name: `${victim.name}2`,
      data: new Uint8Array(0),
      central: { offset: 0 },
    })
  }),
  entry('an entry that reaches into the next', (victim) => {
    const more = {
      compressedBytes: victim.header.compressedBytes + 40,
      sizeBytes: victim.header.sizeBytes + 40,
    }
    Object.assign(victim, { local: more, central: more })
  }),
  entry('a local header without its signature', (victim, archive) => {
    // The entry before is one byte longer than its header says, so the directory points to no header.
    const before = archive.entries[archive.entries.indexOf(victim) - 1]
    if (before === undefined) archive.prefix = text('x')
    else before.after = text('x')
    victim.central = { offset: 1 }
  }),
]
