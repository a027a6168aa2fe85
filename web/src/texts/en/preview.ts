import { counted } from '../../readable.ts'

/** Previews of evidence files, in the console and on share pages. */
export const preview = {
  open: (name: string) => `Preview ${name}`,
  contentOf: (name: string) => `Contents of ${name}`,
  download: 'Download',
  downloadOf: (name: string) => `Download ${name}`,
  proof: 'File proof',
  proofOf: (name: string) => `Download the file proof of ${name}`,
  previous: 'Previous',
  next: 'Next',
  close: 'Close',
  empty: 'This file is empty.',
  none: 'No preview for this type of file. Download it to open it.',
  cut: 'Only the beginning is shown. Download the file to see the rest.',
  firstRows: (count: number) => `The first ${counted(count, 'row')}. Download the file to see the rest.`,
  failed: (why: string) => `Could not load the preview: ${why}`,
}
