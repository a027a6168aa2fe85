import { groupBy } from '@kitseal/kit'
import type { CompoundDirectory, CompoundEntry } from './compound-directory.ts'
import { rtfBody } from './compressed-rtf.ts'
import { sourceFile } from './inner-files.ts'
import type { InnerFile } from './structure.ts'

const PROPERTY = /^__substg1\.0_([\da-f]{4})([\da-f]{4})$/i
/** The properties that name an attachment ([MS-OXPROPS]): its long name, its short one, what is displayed. */
const NAMES = ['3707', '3704', '3001']
const MAX_NAME_BYTES = 2048

/** Files that are attached to an Outlook message ([MS-OXMSG]), and its body in HTML and RTF. */
export async function outlookParts(directory: CompoundDirectory): Promise<readonly InnerFile[]> {
  const { entries, open } = directory
  const parts: InnerFile[] = []
  const streams = groupBy(entries, ({ storages }) => storages?.join('/') ?? '')
  for (const [, siblings] of streams) {
    const property = (tag: string): CompoundEntry | undefined =>
      siblings.find(({ name }) => PROPERTY.exec(name)?.[1]?.toLowerCase() === tag)
    const named = NAMES.flatMap((tag) => property(tag) ?? [])
    for (const entry of siblings) {
      const tag = PROPERTY.exec(entry.name)?.[1]?.toLowerCase()
      if (entry.sizeBytes === 0) continue
      if (tag === '3701' && !/000d$/i.test(entry.name)) {
        const name = (await firstName(directory, named)) ?? `attachment ${parts.length + 1}`
        parts.push(sourceFile(name, 'attachment', await open(entry)))
      } else if (tag === '1013')
        parts.push(sourceFile(`body ${parts.length + 1}.html`, 'package', await open(entry)))
      else if (tag === '1009') {
        const body = await rtfBody(`body ${parts.length + 1}.rtf`, await open(entry))
        if (body !== undefined) parts.push(body)
      }
    }
  }
  return parts
}

async function firstName(
  { readStart }: CompoundDirectory,
  entries: readonly CompoundEntry[],
): Promise<string | undefined> {
  for (const entry of entries) {
    // PT_STRING8 is in the code page of the sender.
    const isWide = /001f$/i.test(entry.name)
    const text = new TextDecoder(isWide ? 'utf-16le' : 'latin1').decode(
      await readStart(entry, MAX_NAME_BYTES),
    )
    const name =
      text
        .split('\0', 1)[0]
        ?.replace(/^.*[\\/]/, '')
        .trim() ?? ''
    if (name !== '') return name
  }
  return undefined
}
