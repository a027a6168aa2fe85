import { extraField, folderEntry, storedEntry, u16 } from '../../forge/archive.ts'
import { type Construction, entry, text, whole } from './construction.ts'

const added = (name: string, path: (root: string) => string | Uint8Array): Construction =>
  whole(name, (archive, root) => {
    const given = path(root)
    const made = storedEntry(typeof given === 'string' ? given : '', text('added'))
    if (typeof given !== 'string') made.header.name = given
    archive.entries.push(made)
  })

const latin = (root: string, name: string): Uint8Array =>
  Buffer.concat([text(root), Buffer.from(name, 'latin1')])

const unicodePath = (name: string): Uint8Array =>
  extraField(0x7075, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), text(name)]))

/** Names that escape the folder, collide or are ambiguous, and entries that are not regular files. */
export const namesAndTypes: readonly Construction[] = [
  added('a name that climbs out', (root) => `${root}../../evil.txt`),
  added('a name that climbs with backslashes', (root) => `${root}..\\..\\evil.txt`),
  added('a name with a backslash', (root) => `${root}a\\b.txt`),
  added('an absolute name', () => '/etc/evil.txt'),
  added('a name with a drive letter', () => 'C:/evil.txt'),
  added('a name of a share', () => '\\\\host\\share\\evil.txt'),
  added('a name with a dot segment', (root) => `${root}./a.txt`),
  added('a name with an empty segment', (root) => `${root}a//b.txt`),
  added('a name with a NUL', (root) => `${root}a.txt\0.exe`),
  added('a name with a line end', (root) => `${root}a\nb.txt`),
  added('a name with an escape', (root) => `${root}a\u001b[31m.txt`),
  added('a name that ends in a dot', (root) => `${root}a.`),
  added('a name that ends in a space', (root) => `${root}a `),
  added('a name of a Windows device', (root) => `${root}NUL.txt`),
  added('a name with a stream of NTFS', (root) => `${root}c:stream`),
  added('a name of 300 bytes', (root) => `${root}${'n'.repeat(300)}`),
  added('a name that is not UTF-8', (root) => latin(root, 'gr\xfc\xdfe.txt')),
  added('a name with an overlong encoding', (root) => latin(root, 'a\xc0\xaf..\xc0\xafb.txt')),
  added('a name with a surrogate', (root) => latin(root, 'a\xed\xa0\x80.txt')),
  added('an empty name', () => new Uint8Array(0)),
  whole('a name of a code page', (archive, root) => {
    const made = storedEntry(`${root}a`, text('added'))
    Object.assign(made.header, { name: text(`${root}größe.txt`), flags: 0 })
    made.central = { madeBy: 0x0014, externalAttributes: 0x20 }
    archive.entries.push(made)
  }),
  entry('a second name in a Unicode path field', (victim, _archive, root) => {
    victim.header.extra = unicodePath(`${root}evil.exe`)
  }),
  entry('a second name in a Unicode path field of the local header', (victim, _archive, root) => {
    victim.local = { extra: unicodePath(`${root}evil.exe`) }
  }),
  entry('two entries of one name', (victim, archive) => {
    archive.entries.push(storedEntry(victim.name, text('the other one')))
  }),
  entry('two entries of one name, the same twice', (victim, archive) => archive.entries.push({ ...victim })),
  entry('a twin by case', (victim, archive) => {
    const at = victim.name.lastIndexOf('/') + 1
    archive.entries.push(
      storedEntry(victim.name.slice(0, at) + victim.name.slice(at).toUpperCase(), text('twin')),
    )
  }),
  whole('twins by normalization', (archive, root) => {
    archive.entries.push(
      storedEntry(`${root}\u00e9.txt`, text('a')),
      storedEntry(`${root}e\u0301.txt`, text('b')),
    )
  }),
  whole('twins by the case of letters that fold', (archive, root) => {
    archive.entries.push(storedEntry(`${root}\u212a.txt`, text('a')), storedEntry(`${root}k.txt`, text('b')))
  }),
  entry('a file where a folder has to be', (victim, archive) => {
    archive.entries.push(storedEntry(`${victim.name}/inside.txt`, text('x')))
  }),
  entry('a folder of the name of a file', (victim, archive) =>
    archive.entries.push(folderEntry(`${victim.name}/`)),
  ),
  whole('a folder entry with content', (archive, root) => {
    archive.entries.push({
      ...storedEntry(`${root}folder/`, text('hidden')),
      central: { externalAttributes: 0x10 },
    })
  }),
  whole('a folder entry that climbs out', (archive, root) =>
    archive.entries.push(folderEntry(`${root}../evil/`)),
  ),
  entry(
    'a file that is marked as a folder',
    (victim) => (victim.central = { externalAttributes: 0o40755 * 65536 + 0x10 }),
  ),
  entry('a symbolic link', (victim) => (victim.central = { externalAttributes: (0o120777 * 65536) >>> 0 })),
  entry('a device', (victim) => (victim.central = { externalAttributes: (0o060644 * 65536) >>> 0 })),
  entry('an encrypted entry', (victim) => (victim.header.flags |= 1)),
  entry('a strongly encrypted entry', (victim) => (victim.header.flags |= 0x41)),
  entry('an entry encrypted with AES', (victim) => {
    Object.assign(victim.header, {
      flags: victim.header.flags | 1,
      method: 99,
      extra: extraField(0x9901, u16(2, 0x4541, 3, 8)),
    })
  }),
  entry('masked headers', (victim) => (victim.header.flags |= 0x2000)),
  entry('patched data', (victim) => (victim.header.flags |= 0x20)),
  entry('an unusual method', (victim) => (victim.header.method = 12)),
  entry('an unknown method', (victim) => (victim.header.method = 0xfffe)),
]
