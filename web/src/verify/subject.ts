import { type PickedItems, type PickedKit, pickedBytes, sortOut } from '@kitseal/kit/in-browser'
import { texts } from '../texts/index.ts'

/** What is to be verified: a whole kit, or its receipt alone. It can be sent to a worker. */
export type Subject =
  | { readonly is: 'kit'; readonly kit: PickedKit }
  | { readonly is: 'receipt'; readonly name: string; readonly file: File }

export type Taken =
  | { readonly ok: true; readonly subject: Subject }
  | { readonly ok: false; readonly problem: string }

/** Sorts out what was dropped or chosen at once. */
export async function takeSubject({ files, folders }: PickedItems): Promise<Taken> {
  const picked = await sortOut(files, folders)
  if (picked.is === 'refused') return { ok: false, problem: picked.why }
  if (picked.kit !== undefined) return { ok: true, subject: { is: 'kit', kit: picked.kit } }
  const [file, ...more] = picked.keySetFiles
  if (file === undefined || more.length > 0) return { ok: false, problem: texts.verify.oneAtATime }
  return { ok: true, subject: { is: 'receipt', name: file.name, file } }
}

export const subjectName = (subject: Subject): string =>
  subject.is === 'kit' ? subject.kit.name : subject.name

export const subjectBytes = (subject: Subject): number =>
  subject.is === 'kit' ? pickedBytes(subject.kit) : subject.file.size
