const BOUNDARY = 'kitseal-bench-boundary'
const FILE_BYTES = 5000

/** Of the two files of a small submission. */
export const EVIDENCE_BYTES = 2 * FILE_BYTES

/** Two files, 10 kB, that no other submission has. */
export function smallForm(number: number): { readonly type: string; readonly body: Buffer } {
  const files = ['access.csv', 'review.txt'].map((name) => ({ name, text: `${name} ${number}\n` }))
  const parts = files.flatMap(({ name, text }) => [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="file"; filename="${name}"`,
    '',
    text.padEnd(FILE_BYTES, 'ann,admin,2026-03-04\n'),
  ])
  const body = Buffer.from([...parts, `--${BOUNDARY}--`, ''].join('\r\n'))
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body }
}
