import { counted } from '../../readable.ts'

/** Previews of evidence files, in the console and on share pages. */
export const preview = {
  open: (name: string) => `Preview ${name}`,
  contentOf: (name: string) => `Contents of ${name}`,
  download: 'Download',
  downloadOf: (name: string) => `Download ${name}`,
  proof: 'File proof',
  proofOf: (name: string) => `Download the file proof of ${name}`,
  fileSays: (summary: string) => `The file says: ${summary}`,
  previous: 'Previous',
  next: 'Next',
  close: 'Close',
  empty: 'This file is empty.',
  none: 'No preview for this type of file. Download it to open it.',
  large: 'This file is too large for a preview. Download it to open it.',
  pdf: {
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    previous: 'Previous page',
    next: 'Next page',
    hint: 'Fonts and images may be missing in this preview. Download the file to see it in full.',
    noImages: 'Some images in this file are not shown in this preview, so pages may look empty.',
    noText: 'Some text is not shown in this preview.',
    seeFile: 'Download the file to see everything.',
    damaged: 'This PDF is damaged, so there is no preview. Download it to try another program.',
    password: 'This PDF needs a password, so there is no preview. Download it to open it.',
    brokenPage: 'This page could not be shown. Download the file to see it.',
  },
  cut: 'Only the beginning is shown. Download the file to see the rest.',
  firstRows: (count: number) => `The first ${counted(count, 'row')}. Download the file to see the rest.`,
  failed: (why: string) => `Could not load the preview: ${why}`,
}
